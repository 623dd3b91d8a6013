//! SQL on many accounts at once.

use crate::credentials::Credentials;
use crate::ids::UserId;
use platform::db::{
    BulkStatement, DbError, Transaction, WriteBatch, bulk_statement, columns, insert_all, row,
};
use platform::time::Moment;
use platform::token::TokenHash;

/// Inserts managed users, who get no mails, each with a name and credentials.
pub async fn insert_managed_users(
    db: &mut Transaction,
    users: &[(UserId, String, Credentials)],
    now: Moment,
) -> Result<(), DbError> {
    let row = |(id, name, credentials): &(UserId, String, Credentials)| {
        columns! {
            id: *id,
            name: name,
            password_hash: &credentials.password_hash,
            card_hash: credentials.card_hash.as_ref().map(TokenHash::to_string),
            device_key: credentials.device_key.to_string(),
            mail: 0_i64,
            created_at: now,
        }
    };
    insert_all(db, "users", users.iter().map(row)).await
}

/// Gives users these names.
pub async fn set_names(db: &mut Transaction, names: &[(UserId, &str)]) -> Result<(), DbError> {
    const STATEMENT: BulkStatement = bulk_statement!(
        "UPDATE users SET name = given.name FROM",
        [id uuid, name text],
        "WHERE users.id = given.id AND users.erased_at IS NULL"
    );
    let mut writes = WriteBatch::default();
    writes.add(STATEMENT, names.iter().map(|(id, name)| row![*id, *name]));
    db.run(writes).await
}
