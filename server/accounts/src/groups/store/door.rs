//! SQL on the places of people in groups, with which managed users sign in.

use crate::credentials::Credentials;
use crate::groups::{GroupCode, Managed, PersonNumber, Threshold};
use crate::ids::UserId;
use platform::db::{Connection, DbError, query};
use platform::token::TokenHash;

/// None if no group has the code.
pub async fn threshold(
    conn: &mut Connection,
    code: &GroupCode,
    number: PersonNumber,
) -> Result<Option<Threshold>, DbError> {
    query(
        "SELECT EXISTS (SELECT 1 FROM group_people p WHERE p.group_id = g.id AND p.number = $2) AS has_person,
             g.open_until
         FROM groups g WHERE g.code = $1",
    )
    .bind(code.as_str())
    .bind(number)
    .fetch_optional(conn)
    .await
}

/// A managed user who may sign in with a number, with the credentials.
pub async fn sign_in(
    conn: &mut Connection,
    code: &GroupCode,
    number: PersonNumber,
) -> Result<Option<(UserId, Credentials)>, DbError> {
    let found: Option<(UserId, String, String, Option<TokenHash>)> = query(
        "SELECT u.id, u.password_hash, u.device_key, u.card_hash
         FROM groups g JOIN group_people p ON p.group_id = g.id JOIN users u ON u.id = p.user_id
         WHERE g.code = $1 AND p.number = $2 AND p.disabled_at IS NULL
           AND u.email IS NULL AND u.erased_at IS NULL AND u.disabled_at IS NULL",
    )
    .bind(code.as_str())
    .bind(number)
    .fetch_optional(conn)
    .await?;
    found
        .map(|(id, password_hash, device_key, card_hash)| {
            let device_key = device_key.parse().map_err(|_| DbError::Corrupt("a device key".to_owned()))?;
            Ok((id, Credentials { password_hash, device_key, card_hash }))
        })
        .transpose()
}

/// The group of a managed user, who is in no other.
pub async fn place_of_managed(conn: &mut Connection, user: UserId) -> Result<Option<Managed>, DbError> {
    query(
        "SELECT g.id AS group_id, g.name AS group_name, g.code, p.number
         FROM group_people p JOIN groups g ON g.id = p.group_id JOIN users u ON u.id = p.user_id
         WHERE p.user_id = $1 AND u.email IS NULL ORDER BY g.id LIMIT 1",
    )
    .bind(user)
    .fetch_optional(conn)
    .await
}
