//! Changes the locale of a managed user, whose name is the keeper's to change, and who has no e-mail.

use crate::codes;
use crate::context::Accounts;
use crate::locale::Locale;
use crate::locks::write_as;
use crate::signal::{self, Signal};
use crate::user::User;
use crate::user::store;
use platform::fields::Object;
use platform::refusals;
use platform::shape::{self, Members, Shape};
use platform::verb::VerbError;

#[derive(Clone, Default)]
struct LocaleBody {
    locale: Option<Locale>,
}

impl Shape for LocaleBody {
    const NAME: &'static str = "LocaleBody";

    fn members(&mut self, members: &mut Members<'_>) {
        members.parsed("locale", &mut self.locale);
    }
}

refusals! {
    /// Why the locale of a managed user is not changed.
    pub enum LocaleRefusal {
        /// The patch has another name, or an e-mail.
        Managed => codes::MANAGED_USER;
    }
}

/// Applies a merge patch. A name or an e-mail in it is the one that the user has.
pub async fn change_locale(
    accounts: &Accounts,
    user: User,
    mut patch: Object,
) -> Result<User, VerbError<LocaleRefusal>> {
    for (member, value) in [("name", Some(&user.name)), ("email", None)] {
        if patch.names(member) && patch.get::<String>(member).as_ref() != value {
            return Err(LocaleRefusal::Managed.into());
        }
        patch.remove(member);
    }
    let locale = user.locale.as_ref().and_then(|locale| locale.parse().ok());
    let LocaleBody { locale } = shape::parse(shape::write(&LocaleBody { locale }).patched(patch))?;
    let locale = locale.map(Locale::into_string);
    let mut db = write_as(&accounts.db, user.id).await?;
    store::set_locale(&mut db, user.id, locale.as_deref()).await?;
    signal::send(&mut db, &Signal::User(user.id)).await?;
    db.commit().await?;
    accounts.signals.publish(&Signal::User(user.id));
    Ok(User { locale, ..user })
}
