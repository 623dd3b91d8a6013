//! What a user changes of themselves.

use super::email::Email;
use super::locale::Locale;
use super::name::PersonName;
use super::session::Visitor;
use super::{User, store};
use crate::db::DbError;
use crate::http::patch::Patch;
use crate::ids::UserId;
use crate::instances::{self, Told};
use crate::limits::TooMany;
use crate::state::AppState;

/// Absent: as it was.
pub struct ProfileChange {
    pub email: Option<Email>,
    pub name: Option<PersonName>,
    pub locale: Patch<Locale>,
}

#[derive(Debug, thiserror::Error)]
pub enum ProfileError {
    /// The account was deleted meanwhile.
    #[error("there is no such account")]
    Gone,
    #[error("the e-mail belongs to another account")]
    EmailTaken,
    #[error(transparent)]
    TooMany(#[from] TooMany),
    #[error(transparent)]
    Db(#[from] DbError),
}

pub async fn change_profile(
    state: &AppState,
    visitor: &Visitor,
    id: UserId,
    change: ProfileChange,
) -> Result<User, ProfileError> {
    // Asking for e-mails that are taken is guessing.
    let guess = state.limits.guess(None, visitor.address)?;
    let mut db = state.db.write_as(id).await?;
    let mut user = store::user_by_id(&mut db, id).await?.ok_or(ProfileError::Gone)?;
    let email = match change.email {
        Some(email) => email,
        None => user.email.parse().map_err(|_| DbError::Corrupt(format!("the e-mail of user {id}")))?,
    };
    user.email = email.as_typed().to_owned();
    if let Some(name) = change.name {
        user.name = name.as_str().to_owned();
    }
    match change.locale {
        Patch::Keep => {}
        Patch::Clear => user.locale = None,
        Patch::Set(locale) => user.locale = Some(locale.into_string()),
    }
    store::update_user(&mut db, &user, &email)
        .await
        .map_err(|error| if error.is_unique_violation() { ProfileError::EmailTaken } else { error.into() })?;
    instances::tell(&mut db, &Told::User(id)).await?;
    db.commit().await?;
    state.sessions.forget_user(id);
    guess.forgive();
    Ok(user)
}
