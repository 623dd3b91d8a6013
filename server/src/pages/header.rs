//! What the header of every page shows.

use app::model::{InboxState, Pause, Theme, Viewer};

use crate::state::AppState;
use accounts::preferences;
use accounts::session::SignedIn;
use auction_house::ids::NotificationId;
use installation::releases::Source;
use installation::releases::status::release_status;
use installation::updates;
use platform::db::{Connection, DbError};
use platform::ids::Uuid;
use platform::time::Moment;

/// What the header of every page shows. A part that can't be read is left out.
pub struct Header {
    /// The user is the Deployment Admin, or there is none.
    may_administer: bool,
    /// Version of a newer release, for the Deployment Admin.
    pub newer_release: Option<String>,
    pub pause: Option<Pause>,
    /// The user's notifications.
    inbox: Option<InboxState>,
}

impl Header {
    pub async fn read(state: &AppState, user: Option<&SignedIn>, now: Moment) -> Self {
        let db = &state.context.db;
        let admin = match user {
            Some(_) => state.pages.admin(db, now).await.ok(),
            None => None,
        };
        let is_admin = admin.flatten().is_some_and(|admin| user.is_some_and(|user| user.id == admin));
        let pause = state.pages.pause(&state.installation, now).await.ok().flatten();
        let inbox = match user {
            Some(user) => state.pages.inbox(db, user.id, now).await.ok(),
            None => None,
        };
        Self {
            may_administer: is_admin || admin == Some(None),
            newer_release: if is_admin { release(state).await } else { None },
            pause: pause.map(|pause| match pause {
                updates::Pause::Announced => Pause::Announced,
                updates::Pause::Begun => Pause::Begun,
                updates::Pause::Failed => Pause::Failed,
            }),
            inbox: inbox.map(|unread| inbox_state(&unread)),
        }
    }

    /// The user as the page shows them.
    pub fn viewer(&self, user: &SignedIn) -> Viewer {
        Viewer {
            id: user.id.to_string(),
            name: user.name.clone(),
            email: user.email.clone().unwrap_or_default(),
            is_managed: user.is_managed(),
            may_administer: self.may_administer,
            theme: theme(user.preferences.theme),
            inbox: self.inbox.clone(),
        }
    }
}

async fn release(state: &AppState) -> Option<String> {
    let mut db = state.context.db.read().await.ok()?;
    newer_release(&mut db, &Source::of(&state.installation.settings)).await.ok().flatten()
}

/// The version of a newer release, for the banner of the Deployment Admin.
pub async fn newer_release(db: &mut Connection, source: &Source) -> Result<Option<String>, DbError> {
    let status = release_status(db, source).await?;
    Ok(status.update_available.then(|| status.latest.to_string()))
}

pub fn theme(theme: preferences::Theme) -> Theme {
    match theme {
        preferences::Theme::System => Theme::System,
        preferences::Theme::Light => Theme::Light,
        preferences::Theme::Dark => Theme::Dark,
    }
}

/// How many notifications of a user are unread, and the newest one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Unread {
    pub count: i64,
    pub last: Option<NotificationId>,
}

/// What the header shows of them.
pub fn inbox_state(unread: &Unread) -> InboxState {
    let last = unread.last.map_or_else(|| Uuid::nil().to_string(), |id| id.to_string());
    InboxState { unread: u32::try_from(unread.count).unwrap_or(0), last }
}
