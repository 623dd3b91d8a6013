//! What the header of every page shows.

use app::model::{InboxState, Pause, Viewer};

use super::account::facts::theme;
use super::admin::facts::newer_release;
use super::notifications::facts::inbox_state;
use crate::state::AppState;
use accounts::session::SignedIn;
use installation::releases::Source;
use installation::updates;
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
