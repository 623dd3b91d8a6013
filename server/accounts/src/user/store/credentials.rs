//! SQL on the credentials of users.

use super::{USER_COLUMNS, UserRow};
use crate::credentials::Credentials;
use crate::ids::UserId;
use crate::user::User;
use platform::db::{
    BulkStatement, Connection, DbError, Transaction, WriteBatch, bulk_statement, concatcp, query,
    query_scalar, row,
};
use platform::email::Email;
use platform::token::TokenHash;

/// A user with the credentials.
#[derive(sqlx_macros::FromRow)]
struct AccountRow {
    #[sqlx(flatten)]
    user: UserRow,
    password_hash: String,
    device_key: String,
}

impl AccountRow {
    fn into_account(self) -> Result<(User, Credentials), DbError> {
        let Self { user, password_hash, device_key } = self;
        let device_key = device_key.parse().map_err(|_| DbError::Corrupt("a device key".to_owned()))?;
        Ok((user.into_user()?, Credentials { password_hash, device_key, card_hash: None }))
    }
}

/// The account of an e-mail, with its credentials. None if the account is disabled.
pub async fn by_email(db: &mut Connection, email: &Email) -> Result<Option<(User, Credentials)>, DbError> {
    let row: Option<AccountRow> = query(concatcp!(
        "SELECT ",
        USER_COLUMNS,
        ", u.password_hash, u.device_key FROM users u
         WHERE u.email_folded = $1 AND u.erased_at IS NULL AND u.disabled_at IS NULL"
    ))
    .bind(email.folded())
    .fetch_optional(db)
    .await?;
    row.map(AccountRow::into_account).transpose()
}

/// The account with its credentials. None if it is disabled.
pub async fn account_by_id(db: &mut Connection, id: UserId) -> Result<Option<(User, Credentials)>, DbError> {
    let row: Option<AccountRow> = query(concatcp!(
        "SELECT ",
        USER_COLUMNS,
        ", u.password_hash, u.device_key FROM users u
         WHERE u.id = $1 AND u.erased_at IS NULL AND u.disabled_at IS NULL"
    ))
    .bind(id)
    .fetch_optional(db)
    .await?;
    row.map(AccountRow::into_account).transpose()
}

/// The hash of the user's password. None if the account is deleted or disabled.
pub async fn password_hash(db: &mut Connection, id: UserId) -> Result<Option<String>, DbError> {
    let sql = "SELECT password_hash FROM users WHERE id = $1 AND erased_at IS NULL AND disabled_at IS NULL";
    query_scalar(sql).bind(id).fetch_optional(db).await
}

/// Stores the credentials of a new password.
pub async fn set_credentials(
    db: &mut Transaction,
    id: UserId,
    credentials: &Credentials,
) -> Result<(), DbError> {
    set_all_credentials(db, &[(id, credentials)]).await
}

/// Gives users these credentials.
pub async fn set_all_credentials(
    db: &mut Transaction,
    changed: &[(UserId, &Credentials)],
) -> Result<(), DbError> {
    const STATEMENT: BulkStatement = bulk_statement!(
        "UPDATE users SET password_hash = given.password_hash, device_key = given.device_key,
                          card_hash = given.card_hash FROM",
        [id uuid, password_hash text, device_key text, card_hash text],
        "WHERE users.id = given.id AND users.erased_at IS NULL"
    );
    let row = |(id, credentials): &(UserId, &Credentials)| {
        let Credentials { password_hash, device_key, card_hash } = credentials;
        let card_hash = card_hash.as_ref().map(TokenHash::to_string);
        row![*id, password_hash, device_key.to_string(), card_hash]
    };
    let mut writes = WriteBatch::default();
    writes.add(STATEMENT, changed.iter().map(row));
    db.run(writes).await
}

/// Stores another hash of the same password.
pub async fn set_password_hash(db: &mut Transaction, id: UserId, hash: &str) -> Result<(), DbError> {
    let sql = "UPDATE users SET password_hash = $2 WHERE id = $1 AND erased_at IS NULL";
    query(sql).bind(id).bind(hash).execute(db).await?;
    Ok(())
}
