//! Changes the preferences of a user.

pub mod routes;

use crate::codes;
use crate::context::Accounts;
use crate::ids::UserId;
use crate::locks::write_as;
use crate::preferences::kind::{KindSet, NotificationKind};
use crate::preferences::{Preferences, Theme};
use crate::signal::{self, Signal};
use crate::user::store;
use platform::body::Body;
use platform::refusals;
use platform::shape::{self, Members, Shape};
use platform::verb::VerbError;

/// The kinds of notifications that a user gets.
#[derive(Clone)]
struct NotifyBody(KindSet);

/// The kinds that are mailed.
#[derive(Clone)]
struct MailBody(KindSet);

impl Default for NotifyBody {
    fn default() -> Self {
        Self(KindSet::NOTIFIED)
    }
}

impl Default for MailBody {
    fn default() -> Self {
        Self(KindSet::MAILED)
    }
}

impl Shape for Preferences {
    const NAME: &'static str = "NewPreferences";

    fn members(&mut self, members: &mut Members<'_>) {
        members
            .parsed("timeZone", &mut self.time_zone)
            .about("An IANA name. Without one that of the browser is used.")
            .example("Europe/Berlin");
        members.value("theme", &mut self.theme).of::<Theme>();
        let (mut notify, mut mail) = (Some(NotifyBody(self.notify)), Some(MailBody(self.mail)));
        members.object("notify", &mut notify);
        members.object("mail", &mut mail);
        (self.notify, self.mail) = (notify.unwrap_or_default().0, mail.unwrap_or_default().0);
    }
}

impl Shape for NotifyBody {
    const NAME: &'static str = "NewNotifyPreferences";

    fn members(&mut self, members: &mut Members<'_>) {
        flags(&mut self.0, members);
    }
}

impl Shape for MailBody {
    const NAME: &'static str = "NewMailPreferences";

    fn members(&mut self, members: &mut Members<'_>) {
        flags(&mut self.0, members);
    }
}

fn flags(set: &mut KindSet, members: &mut Members<'_>) {
    for kind in NotificationKind::ALL {
        let mut is_included = set.contains(kind);
        members.flag(kind.as_str(), &mut is_included);
        *set = set.with(kind, is_included);
    }
}

refusals! {
    /// Why preferences are not changed.
    pub enum PreferencesRefusal {
        /// The account was deleted meanwhile.
        Gone => codes::UNAUTHENTICATED;
    }
}

/// Applies a merge patch to the preferences.
pub async fn change_preferences(
    accounts: &Accounts,
    user: UserId,
    patch: impl Body,
) -> Result<Preferences, VerbError<PreferencesRefusal>> {
    let patch = patch.read()?;
    let mut db = write_as(&accounts.db, user).await?;
    let found = store::user_by_id(&mut db, user).await?.ok_or(PreferencesRefusal::Gone)?;
    let preferences: Preferences = shape::parse(shape::write(&found.preferences).patched(patch))?;
    store::set_preferences(&mut db, user, &preferences).await?;
    signal::send(&mut db, &Signal::User(user)).await?;
    db.commit().await?;
    accounts.signals.publish(&Signal::User(user));
    Ok(preferences)
}

/// Ends the mails of one kind: what the link in a mail does.
pub async fn end_mails(
    accounts: &Accounts,
    user: UserId,
    kind: NotificationKind,
) -> Result<(), VerbError<PreferencesRefusal>> {
    let mut db = write_as(&accounts.db, user).await?;
    let found = store::user_by_id(&mut db, user).await?.ok_or(PreferencesRefusal::Gone)?;
    let mail = found.preferences.mail.with(kind, false);
    let preferences = Preferences { mail, ..found.preferences };
    store::set_preferences(&mut db, user, &preferences).await?;
    signal::send(&mut db, &Signal::User(user)).await?;
    db.commit().await?;
    accounts.signals.publish(&Signal::User(user));
    Ok(())
}
