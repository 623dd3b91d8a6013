//! Created resources by the key of their request, in SQL.

use platform::db::{Connection, DbError, Transaction, query};
use platform::idempotency::KeyedRequest;
use platform::ids::{Id, Uuid};
use platform::time::Moment;

use super::Earlier;
use crate::ids::UserId;

/// The earlier request with this key, if there is one.
pub(super) async fn find(
    conn: &mut Connection,
    user: UserId,
    collection: &str,
    request: &KeyedRequest,
) -> Result<Option<Earlier>, DbError> {
    let found: Option<(Uuid, String)> = query(
        "SELECT resource_id, request_hash FROM creations WHERE user_id = $1 AND scope = $2 AND key = $3",
    )
    .bind(user)
    .bind(collection)
    .bind(request.key.as_str())
    .fetch_optional(conn)
    .await?;
    Ok(found.map(|(resource_id, hash)| Earlier { resource_id, is_same: hash == request.hash() }))
}

pub(super) async fn insert(
    conn: &mut Transaction,
    user: UserId,
    collection: &str,
    request: &KeyedRequest,
    resource: impl Id,
    now: Moment,
) -> Result<(), DbError> {
    query(
        "INSERT INTO creations (user_id, scope, key, request_hash, resource_id, created_at)
         VALUES ($1, $2, $3, $4, $5, $6)",
    )
    .bind(user)
    .bind(collection)
    .bind(request.key.as_str())
    .bind(request.hash())
    .bind(resource)
    .bind(now)
    .execute(conn)
    .await?;
    Ok(())
}

/// Deletes expired keys.
pub(super) async fn delete_before(conn: &mut Transaction, moment: Moment) -> Result<(), DbError> {
    query("DELETE FROM creations WHERE created_at < $1").bind(moment).execute(conn).await?;
    Ok(())
}
