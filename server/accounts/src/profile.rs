//! Changes the profile of a user.

use utoipa::openapi::{KnownFormat, SchemaFormat};

use crate::administration;
use crate::audit::{self, AuditAction};
use crate::change_locale::{LocaleRefusal, change_locale};
use crate::change_password::{PasswordRefusal, check_password, limited};
use crate::codes;
use crate::context::Accounts;
use crate::groups::PersonNumber;
use crate::groups::store as groups;
use crate::ids::UserId;
use crate::locale::Locale;
use crate::locks::write_as;
use crate::name::{PersonName, TypedName};
use crate::outbox::AccountMail;
use crate::reset_links::store as reset_links;
use crate::session::Visitor;
use crate::session::store as sessions;
use crate::signal::{self, Signal};
use crate::user::User;
use crate::user::store;
use platform::body::Body;
use platform::db::Transaction;
use platform::email::Email;
use platform::fields::{FieldError, Fields, Object};
use platform::refusals;
use platform::shape::{self, Members, Shape};
use platform::verb::VerbError;

/// The member with the password.
const PASSWORD: &str = "currentPassword";

/// A user as they describe themselves, and for a new e-mail the password as a proof.
#[derive(Clone, Default)]
pub struct ProfileBody {
    name: Option<TypedName>,
    email: Option<Email>,
    locale: Option<Locale>,
    current_password: Option<String>,
}

impl Shape for ProfileBody {
    const NAME: &'static str = "NewUser";

    fn members(&mut self, members: &mut Members<'_>) {
        members.required_parsed("name", &mut self.name).length(&PersonName::CHARS);
        members
            .required_parsed("email", &mut self.email)
            .format(SchemaFormat::KnownFormat(KnownFormat::Email));
        members.parsed("locale", &mut self.locale).about("BCP 47.").example("en-GB");
        members
            .optional_secret(PASSWORD, &mut self.current_password)
            .about("Required with a new e-mail, which ends every other session.");
    }
}

struct Profile {
    name: PersonName,
    email: Email,
    locale: Option<Locale>,
    /// The patch has another e-mail than the user.
    has_new_email: bool,
    current_password: Option<String>,
}

refusals! {
    /// Why a profile is not changed.
    pub enum ProfileRefusal {
        /// The account was deleted meanwhile.
        Gone => codes::UNAUTHENTICATED;
        EmailTaken => codes::EMAIL_TAKEN;
    }
    wraps { Locale(LocaleRefusal), Password(PasswordRefusal) }
}

/// Applies a merge patch to the profile. A new e-mail ends every session but the one that asks; a link to
/// confirm it is mailed, and a confirmed old e-mail is told. A managed user changes the locale alone.
pub async fn change_profile(
    accounts: &Accounts,
    visitor: &Visitor,
    id: UserId,
    patch: impl Body,
) -> Result<User, VerbError<ProfileRefusal>> {
    let mut conn = accounts.db.read().await?;
    let user = store::user_by_id(&mut conn, id).await?.ok_or(ProfileRefusal::Gone)?;
    let numbers = groups::numbers_of(&mut conn, id).await?;
    drop(conn);
    let patch = patch.read()?;
    if user.is_managed() {
        let changed = change_locale(accounts, user, patch).await;
        return changed.map_err(|error| error.map_refusal(ProfileRefusal::Locale));
    }
    let Profile { has_new_email, current_password, .. } = parse(&user, &numbers, patch.clone())?;
    let verified = match current_password.filter(|_| has_new_email) {
        Some(typed) => {
            let check = check_password(accounts, id, typed);
            let checked = limited(accounts, visitor, id, check, PasswordRefusal::is_wrong).await;
            Some(checked.map_err(|error| error.map_refusal(ProfileRefusal::Password))?)
        }
        None => None,
    };

    let mut db = write_as(&accounts.db, id).await?;
    let mut user = store::user_by_id(&mut db, id).await?.ok_or(ProfileRefusal::Gone)?;
    let profile = parse(&user, &numbers, patch)?;
    // A concurrent request may have changed the password or the e-mail.
    if profile.has_new_email && (verified.is_none() || store::password_hash(&mut db, id).await? != verified) {
        return Err(PasswordRefusal::WrongPassword.into());
    }
    write(accounts, visitor, &mut db, &mut user, profile).await?;
    signal::send(&mut db, &Signal::User(id)).await?;
    db.commit().await?;
    accounts.signals.publish(&Signal::User(id));
    Ok(user)
}

async fn write(
    accounts: &Accounts,
    visitor: &Visitor,
    db: &mut Transaction,
    user: &mut User,
    profile: Profile,
) -> Result<(), VerbError<ProfileRefusal>> {
    let Profile { name, email, locale, has_new_email, .. } = profile;
    let (now, old) = (accounts.clock.now(), user.email.take());
    let is_written_anew = old.as_deref() != Some(email.as_typed());
    user.name = name.as_str().to_owned();
    user.email = Some(email.as_typed().to_owned());
    user.locale = locale.map(Locale::into_string);
    match store::update_user(db, user, &email).await {
        Err(error) if error.is_unique_violation() => {
            accounts.limits.disclosure(visitor.address)?;
            return Err(ProfileRefusal::EmailTaken.into());
        }
        updated => updated?,
    }
    if is_written_anew {
        administration::store::email_changed(db, user.id, now).await?;
    }
    if has_new_email {
        let was_confirmed = user.email_verified_at.take().is_some();
        user.email_failed_at = None;
        let action = AuditAction::EmailChanged(user.id);
        audit::record_from(db, now, visitor.address, Some(user.id), &action).await?;
        // It may have been sent to the old address.
        reset_links::delete(db, user.id).await?;
        // An old e-mail that was never confirmed may be that of a stranger.
        if let Some(old) = old.as_deref().filter(|_| was_confirmed) {
            accounts.outbox.add(db, AccountMail::EmailChanged, user.id, Some(old), now).await?;
        }
        if accounts.limits.account_mail(visitor.address, email.as_typed()).is_ok() {
            accounts.outbox.add(db, AccountMail::ConfirmEmail, user.id, None, now).await?;
        }
        sessions::delete_others(db, user.id, visitor.session.as_ref()).await?;
    }
    Ok(())
}

/// The profile with `patch` applied. An e-mail in other letters, capital or small, is not a new one.
fn parse(user: &User, numbers: &[PersonNumber], patch: Object) -> Result<Profile, VerbError<ProfileRefusal>> {
    let old_email = user.parsed_email();
    let body = ProfileBody {
        name: user.name.parse().ok(),
        email: old_email.clone(),
        locale: user.locale.as_ref().and_then(|locale| locale.parse().ok()),
        current_password: None,
    };
    let mut fields = Fields::of(shape::write(&body).patched(patch));
    let mut patched = ProfileBody::default();
    shape::read(&mut patched, &mut fields);
    let ProfileBody { name, email, locale, current_password } = patched;
    let folded = |email: &Option<Email>| email.as_ref().map(|email| email.folded().to_owned());
    let name = name.and_then(|name| {
        let called = name.of_user(&user.name, numbers);
        called.map_err(|error| fields.report(FieldError::new("name", error.to_string()))).ok()
    });
    let has_new_email = email.is_some() && folded(&email) != folded(&old_email);
    let is_proven = !has_new_email || current_password.is_some() || !fields.is_clean_at(PASSWORD);
    fields.check(is_proven, PASSWORD, "must be given with a new e-mail");
    fields.finish()?;
    // INVARIANT: a required member that is absent is an error.
    let (name, email) = name.zip(email).ok_or_else(|| VerbError::<ProfileRefusal>::from(Vec::new()))?;
    Ok(Profile { name, email, locale, has_new_email, current_password })
}
