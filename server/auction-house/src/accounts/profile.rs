//! What a user changes of themselves.

use utoipa::ToSchema;

use super::Accounts;
use super::extract::Visitor;
use super::locale::Locale;
use super::name::PersonName;
use super::{User, store};
use crate::events::signal::{self, Signal};
use crate::ids::UserId;
use crate::locks::LockingWrites;
use platform::body::Body;
use platform::email::Email;
use platform::fields::{FieldError, Fields, Object};
use platform::refusals;
use platform::verb::VerbError;

/// The body as documented, that a merge patch is laid on.
#[derive(ToSchema)]
#[schema(as = NewUser)]
pub struct ProfileBody {
    #[schema(min_length = 1, max_length = 100)]
    pub name: String,
    #[schema(format = Email)]
    pub email: String,
    /// BCP 47.
    #[schema(example = "en-GB")]
    pub locale: Option<String>,
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

/// Lays `patch` on the profile.
pub async fn change_profile(
    accounts: &Accounts,
    visitor: &Visitor,
    id: UserId,
    patch: impl Body,
) -> Result<User, VerbError<ProfileRefusal>> {
    // Asking for e-mails that are taken is guessing.
    let guess = accounts.limits.guess(None, visitor.address)?;
    let mut db = accounts.db.write_as(id).await?;
    let mut user = store::user_by_id(&mut db, id).await?.ok_or(ProfileRefusal::Gone)?;
    let profile = match patch.read().map_err(VerbError::from) {
        Ok(patch) => read(as_body(&user).patched(patch)).map_err(VerbError::from),
        Err(error) => Err(error),
    };
    let Profile { name, email, locale } = match profile {
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
        accounts.administration.email_changed(&mut db, id, accounts.clock.now()).await?;
    }
    signal::send(&mut db, &Signal::User(id)).await?;
    db.commit().await?;
    accounts.events.publish(&Signal::User(id));
    guess.forgive();
    Ok(user)
}

/// The body that would make the profile as it is.
fn as_body(user: &User) -> Object {
    let mut object = Object::default();
    object.set("name", &user.name);
    object.set("email", &user.email);
    object.set("locale", &user.locale);
    object
}

/// Reads a whole profile.
fn read(object: Object) -> Result<Profile, Vec<FieldError>> {
    let mut fields = Fields::of(object);
    let name: Option<String> = fields.required("name");
    let email: Option<String> = fields.required("email");
    let locale: Option<String> = fields.optional("locale");
    let name = name.and_then(|name| fields.parse("name", &name));
    let email = email.and_then(|email| fields.parse("email", &email));
    let locale = locale.and_then(|locale| fields.parse("locale", &locale));
    fields.finish()?;
    // INVARIANT: what is required and absent is a fault.
    name.zip(email).map(|(name, email)| Profile { name, email, locale }).ok_or_else(Vec::new)
}
