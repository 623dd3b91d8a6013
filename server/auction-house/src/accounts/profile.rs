//! Changes the profile of a user.

use utoipa::openapi::{KnownFormat, SchemaFormat};

use super::Accounts;
use super::User;
use super::extract::Visitor;
use super::locale::Locale;
use super::name::PersonName;
use super::store::{self, reset_links};
use crate::events::signal::{self, Signal};
use crate::ids::UserId;
use crate::locks::LockingWrites;
use platform::body::Body;
use platform::email::Email;
use platform::refusals;
use platform::shape::{self, Members, Shape};
use platform::verb::VerbError;

/// A user as they describe themselves.
#[derive(Debug, Clone, Default)]
pub struct ProfileBody {
    name: Option<PersonName>,
    email: Option<Email>,
    locale: Option<Locale>,
}

impl Shape for ProfileBody {
    const NAME: &'static str = "NewUser";

    fn members(&mut self, members: &mut Members<'_>) {
        members.required_parsed("name", &mut self.name).length(&PersonName::CHARS);
        members
            .required_parsed("email", &mut self.email)
            .format(SchemaFormat::KnownFormat(KnownFormat::Email));
        members.parsed("locale", &mut self.locale).about("BCP 47.").example("en-GB");
    }
}

struct Profile {
    name: PersonName,
    email: Email,
    locale: Option<Locale>,
}

refusals! {
    /// Why a profile is not changed.
    pub enum ProfileRefusal {
        /// The account was deleted meanwhile.
        Gone => Unauthenticated;
        EmailTaken => EmailTaken;
    }
}

/// Applies a merge patch to the profile.
pub async fn change_profile(
    accounts: &Accounts,
    visitor: &Visitor,
    id: UserId,
    patch: impl Body,
) -> Result<User, VerbError<ProfileRefusal>> {
    // The answer reveals whether an e-mail is taken, so it counts as a guess.
    let guess = accounts.limits.guess(None, visitor.address)?;
    let mut db = accounts.db.write_as(id).await?;
    let mut user = store::user_by_id(&mut db, id).await?.ok_or(ProfileRefusal::Gone)?;
    let Profile { name, email, locale } = match read(&user, patch) {
        Ok(profile) => profile,
        Err(error) => {
            guess.forgive();
            return Err(error);
        }
    };
    let moves = user.email != email.as_typed();
    user.name = name.as_str().to_owned();
    user.email = email.as_typed().to_owned();
    user.locale = locale.map(Locale::into_string);
    store::update_user(&mut db, &user, &email).await.map_err(|error| {
        if error.is_unique_violation() {
            VerbError::Refused(ProfileRefusal::EmailTaken)
        } else {
            VerbError::Db(error)
        }
    })?;
    if moves {
        // It may have been sent to the old address.
        reset_links::delete(&mut db, id).await?;
        accounts.administration.email_changed(&mut db, id, accounts.clock.now()).await?;
    }
    signal::send(&mut db, &Signal::User(id)).await?;
    db.commit().await?;
    accounts.events.publish(&Signal::User(id));
    guess.forgive();
    Ok(user)
}

/// The profile with `patch` applied.
fn read(user: &User, patch: impl Body) -> Result<Profile, VerbError<ProfileRefusal>> {
    let body = ProfileBody {
        name: user.name.parse().ok(),
        email: user.email.parse().ok(),
        locale: user.locale.as_ref().and_then(|locale| locale.parse().ok()),
    };
    let ProfileBody { name, email, locale } = shape::parse(shape::write(&body).patched(patch.read()?))?;
    // INVARIANT: a required member that is absent is an error.
    name.zip(email).map(|(name, email)| Profile { name, email, locale }).ok_or_else(|| Vec::new().into())
}
