//! SQL on users.

mod credentials;
mod many;

use std::collections::HashMap;

use crate::credentials::Credentials;
use crate::ids::UserId;
use crate::person::Person;
use crate::preferences::kind::KindSet;
use crate::preferences::{Preferences, ZoneName};
use crate::user::{FoundPerson, User};
use platform::db::{Connection, DbError, Transaction, concatcp, for_each_row, query, query_scalar, rows};
use platform::email::Email;
use platform::time::Moment;
use platform::token::Token;

pub use credentials::{
    account_by_id, by_email, password_hash, set_all_credentials, set_credentials, set_password_hash,
};
pub use many::{insert_managed_users, set_names};

/// The columns of a [`UserRow`] from the user `u`.
pub(crate) const USER_COLUMNS: &str = "u.id, u.email, u.email_verified_at, u.email_failed_at, u.name, u.locale, u.time_zone, u.theme, u.notify, u.mail,
         u.created_at,
         EXISTS (SELECT 1 FROM second_factors f WHERE f.user_id = u.id AND f.confirmed_at IS NOT NULL)
            AS has_second_factor";

/// A user as the database has one.
#[derive(sqlx_macros::FromRow)]
pub(crate) struct UserRow {
    id: UserId,
    email: Option<String>,
    email_verified_at: Option<Moment>,
    email_failed_at: Option<Moment>,
    name: String,
    locale: Option<String>,
    time_zone: Option<String>,
    theme: String,
    notify: i64,
    mail: i64,
    created_at: Moment,
    has_second_factor: bool,
}

impl UserRow {
    pub(crate) fn into_user(self) -> Result<User, DbError> {
        let Self {
            id,
            email,
            email_verified_at,
            email_failed_at,
            name,
            locale,
            time_zone,
            theme,
            notify,
            mail,
            created_at,
            has_second_factor,
        } = self;
        let preferences = Preferences {
            // A zone that this release does not know is as none.
            time_zone: time_zone.and_then(|name| name.parse().ok()),
            theme: theme.parse().unwrap_or_default(),
            notify: KindSet::of_bits(notify),
            mail: KindSet::of_bits(mail),
        };
        Ok(User {
            id,
            email,
            email_verified_at,
            email_failed_at,
            name,
            locale,
            preferences,
            has_second_factor,
            created_at,
        })
    }
}

/// Makes a managed user one with an e-mail and other credentials. A unique violation says that the e-mail is
/// taken.
pub async fn upgrade_user(
    db: &mut Transaction,
    id: UserId,
    name: &str,
    email: &Email,
    credentials: &Credentials,
) -> Result<(), DbError> {
    query(
        "UPDATE users SET email = $2, email_folded = $3, name = $4, password_hash = $5, device_key = $6, mail = $7,
             card_hash = NULL
         WHERE id = $1 AND erased_at IS NULL",
    )
    .bind(id)
    .bind(email.as_typed())
    .bind(email.folded())
    .bind(name)
    .bind(&credentials.password_hash)
    .bind(credentials.device_key.to_string())
    .bind(Preferences::default().mail.bits())
    .execute(db)
    .await?;
    Ok(())
}

/// Makes a full account a managed user with these credentials of a PIN and a card.
pub async fn downgrade_user(
    db: &mut Transaction,
    id: UserId,
    credentials: &Credentials,
) -> Result<(), DbError> {
    set_credentials(db, id, credentials).await?;
    let sql = "UPDATE users SET email = NULL, email_folded = NULL, email_verified_at = NULL, email_failed_at = NULL,
             mail = 0, mail_token = NULL
         WHERE id = $1 AND erased_at IS NULL";
    query(sql).bind(id).execute(db).await?;
    Ok(())
}

/// Gives a managed user another locale.
pub async fn set_locale(db: &mut Transaction, id: UserId, locale: Option<&str>) -> Result<(), DbError> {
    let sql = "UPDATE users SET locale = $2 WHERE id = $1 AND erased_at IS NULL";
    query(sql).bind(id).bind(locale).execute(db).await?;
    Ok(())
}

/// Gives a managed user another name.
pub async fn set_name(db: &mut Transaction, id: UserId, name: &str) -> Result<(), DbError> {
    query("UPDATE users SET name = $2 WHERE id = $1 AND erased_at IS NULL")
        .bind(id)
        .bind(name)
        .execute(db)
        .await?;
    Ok(())
}

/// A unique violation says that the e-mail is taken.
pub async fn insert_user(
    db: &mut Transaction,
    user: &User,
    email: &Email,
    credentials: &Credentials,
) -> Result<(), DbError> {
    query(
        "INSERT INTO users (id, email, email_folded, name, locale, password_hash, device_key, created_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8)",
    )
    .bind(user.id)
    .bind(email.as_typed())
    .bind(email.folded())
    .bind(&user.name)
    .bind(&user.locale)
    .bind(&credentials.password_hash)
    .bind(credentials.device_key.to_string())
    .bind(user.created_at)
    .execute(db)
    .await?;
    Ok(())
}

pub async fn email_is_taken(db: &mut Connection, email: &Email) -> Result<bool, DbError> {
    let sql = "SELECT EXISTS (SELECT 1 FROM users WHERE email_folded = $1)";
    query_scalar(sql).bind(email.folded()).fetch_one(db).await
}

/// Whether there is any account at all.
pub async fn any_user(db: &mut Connection) -> Result<bool, DbError> {
    query_scalar("SELECT EXISTS (SELECT 1 FROM users)").fetch_one(db).await
}

/// The users with these e-mails, by the folded e-mail.
pub async fn people_by_email(
    db: &mut Connection,
    emails: &[&Email],
) -> Result<HashMap<String, FoundPerson>, DbError> {
    let found: Vec<(String, UserId, String, Option<Moment>)> = query(for_each_row!(
        "SELECT u.email_folded, u.id, u.name, u.email_verified_at FROM",
        [email text],
        "JOIN users u ON u.email_folded = given.email"
    ))
    .bind(rows(emails.iter().map(|email| [email.folded()]))?)
    .fetch_all(db)
    .await?;
    let person = |(email, id, name, verified_at): (String, UserId, String, Option<Moment>)| {
        (email, FoundPerson { id, name, is_verified: verified_at.is_some() })
    };
    Ok(found.into_iter().map(person).collect())
}

pub async fn user_by_id(db: &mut Connection, id: UserId) -> Result<Option<User>, DbError> {
    let row: Option<UserRow> =
        query(concatcp!("SELECT ", USER_COLUMNS, " FROM users u WHERE u.id = $1 AND u.erased_at IS NULL"))
            .bind(id)
            .fetch_optional(db)
            .await?;
    row.map(UserRow::into_user).transpose()
}

/// Whether the user has no e-mail, and signs in with a number.
pub async fn is_managed(db: &mut Connection, id: UserId) -> Result<bool, DbError> {
    let sql = "SELECT EXISTS (SELECT 1 FROM users WHERE id = $1 AND email IS NULL AND erased_at IS NULL)";
    query_scalar(sql).bind(id).fetch_one(db).await
}

/// The name to show for a user, also of a deleted account.
pub async fn name(db: &mut Connection, id: UserId) -> Result<Option<String>, DbError> {
    query_scalar("SELECT name FROM users WHERE id = $1").bind(id).fetch_optional(db).await
}

/// The names to show for these users, deleted ones included.
pub async fn names(
    db: &mut Connection,
    ids: impl IntoIterator<Item = UserId>,
) -> Result<HashMap<UserId, String>, DbError> {
    let found: Vec<(UserId, String)> =
        query(for_each_row!("SELECT u.id, u.name FROM", [id id], "JOIN users u ON u.id = given.id"))
            .bind(rows(ids.into_iter().map(|id| [id]))?)
            .fetch_all(db)
            .await?;
    Ok(found.into_iter().collect())
}

/// Hashes of the secrets on the cards of managed users. A user without a card is absent.
pub async fn card_hashes(
    db: &mut Connection,
    ids: impl IntoIterator<Item = UserId>,
) -> Result<HashMap<UserId, String>, DbError> {
    let found: Vec<(UserId, String)> = query(for_each_row!(
        "SELECT u.id, u.card_hash FROM",
        [id id],
        "JOIN users u ON u.id = given.id WHERE u.card_hash IS NOT NULL"
    ))
    .bind(rows(ids.into_iter().map(|id| [id]))?)
    .fetch_all(db)
    .await?;
    Ok(found.into_iter().collect())
}

/// Records that the user has confirmed the e-mail, if the user still has it.
pub async fn confirm_email(
    db: &mut Transaction,
    id: UserId,
    folded: &str,
    now: Moment,
) -> Result<bool, DbError> {
    let sql = "UPDATE users SET email_verified_at = COALESCE(email_verified_at, $3)
        WHERE id = $1 AND email_folded = $2 AND erased_at IS NULL";
    Ok(query(sql).bind(id).bind(folded).bind(now).execute(db).await? == 1)
}

/// Records since when mails to the user's e-mail can't be sent, or that they can. Returns whether this is
/// new.
pub async fn set_email_failed(
    db: &mut Transaction,
    id: UserId,
    failed_at: Option<Moment>,
) -> Result<bool, DbError> {
    let sql = "UPDATE users SET email_failed_at = $2
        WHERE id = $1 AND email IS NOT NULL AND (email_failed_at IS NULL) <> ($2 IS NULL)";
    Ok(query(sql).bind(id).bind(failed_at).execute(db).await? == 1)
}

/// A new e-mail is not confirmed. A unique violation says that the e-mail is taken.
pub async fn update_user(db: &mut Transaction, user: &User, email: &Email) -> Result<(), DbError> {
    query(
        "UPDATE users SET email_verified_at = CASE WHEN email_folded = $3 THEN email_verified_at END,
            email_failed_at = CASE WHEN email_folded = $3 THEN email_failed_at END,
            email = $2, email_folded = $3, name = $4, locale = $5
         WHERE id = $1 AND erased_at IS NULL",
    )
    .bind(user.id)
    .bind(email.as_typed())
    .bind(email.folded())
    .bind(&user.name)
    .bind(&user.locale)
    .execute(db)
    .await?;
    Ok(())
}

pub async fn set_preferences(
    db: &mut Transaction,
    id: UserId,
    preferences: &Preferences,
) -> Result<(), DbError> {
    let Preferences { time_zone, theme, notify, mail } = preferences;
    query("UPDATE users SET time_zone = $2, theme = $3, notify = $4, mail = $5 WHERE id = $1 AND erased_at IS NULL")
        .bind(id)
        .bind(time_zone.as_ref().map(ZoneName::as_str))
        .bind(theme.as_str())
        .bind(notify.bits())
        .bind(mail.bits())
        .execute(db)
        .await?;
    Ok(())
}

/// Disables the account since this moment, or enables it.
pub async fn set_disabled(
    db: &mut Transaction,
    id: UserId,
    disabled_at: Option<Moment>,
) -> Result<(), DbError> {
    let sql = "UPDATE users SET disabled_at = $2 WHERE id = $1";
    query(sql).bind(id).bind(disabled_at).execute(db).await?;
    Ok(())
}

/// Records when the user has signed in.
pub async fn set_last_sign_in(db: &mut Transaction, id: UserId, at: Moment) -> Result<(), DbError> {
    query("UPDATE users SET last_sign_in_at = $2 WHERE id = $1").bind(id).bind(at).execute(db).await?;
    Ok(())
}

/// The secret in the links of mails to a user, which is `new` if there is none yet. None for a deleted
/// account.
pub async fn mail_token(db: &mut Transaction, id: UserId, new: &Token) -> Result<Option<String>, DbError> {
    query_scalar(
        "UPDATE users SET mail_token = COALESCE(mail_token, $2) WHERE id = $1 AND erased_at IS NULL
         RETURNING mail_token",
    )
    .bind(id)
    .bind(new.as_str())
    .fetch_optional(db)
    .await
}

/// The user to whose mails a secret belongs.
pub async fn by_mail_token(db: &mut Connection, token: &str) -> Result<Option<User>, DbError> {
    let row: Option<UserRow> = query(concatcp!(
        "SELECT ",
        USER_COLUMNS,
        " FROM users u WHERE u.mail_token = $1 AND u.erased_at IS NULL"
    ))
    .bind(token)
    .fetch_optional(db)
    .await?;
    row.map(UserRow::into_user).transpose()
}

/// Leaves of each person only that there was one.
pub async fn erase_users(db: &mut Transaction, ids: &[UserId], now: Moment) -> Result<(), DbError> {
    query(for_each_row!(
        "UPDATE users SET email = NULL, email_folded = NULL, email_verified_at = NULL, email_failed_at = NULL, name = $2,
             locale = NULL, time_zone = NULL, mail_token = NULL, password_hash = NULL, card_hash = NULL, device_key = NULL, erased_at = $3
         WHERE id IN (SELECT given.id FROM",
        [id id],
        ")"
    ))
    .bind(rows(ids.iter().map(|id| [id]))?)
    .bind(Person::DELETED)
    .bind(now)
    .execute(db)
    .await?;
    Ok(())
}
