//! Created resources by the key of their request, in SQL.

use std::collections::{HashMap, HashSet};

use platform::db::{
    BulkStatement, Connection, DbError, Transaction, WriteBatch, bulk_statement, for_each_row, query, row,
    rows,
};
use platform::idempotency::{IdempotencyKey, KeyedRequest};
use platform::ids::{Id, Uuid};
use platform::time::Moment;

use super::{CallKey, Earlier, KeyedCall};
use crate::ids::{ItemId, UserId};

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

/// The earlier call with the key of this one.
pub(super) async fn find_call(conn: &mut Connection, call: &KeyedCall) -> Result<Option<Earlier>, DbError> {
    let key = call.key();
    let found = find_calls(conn, &HashSet::from([&key])).await?.remove(&key);
    let earlier = |hash| Earlier { resource_id: call.item_id.uuid(), is_same: hash == call.request.hash() };
    Ok(found.map(earlier))
}

/// The hashes of the requests of those `wanted` calls that were executed already.
pub(super) async fn find_calls(
    conn: &mut Connection,
    wanted: &HashSet<&CallKey>,
) -> Result<HashMap<CallKey, String>, DbError> {
    if wanted.is_empty() {
        return Ok(HashMap::new());
    }
    let row = |key: &&CallKey| (key.item_id, key.key.as_str().to_owned());
    let kept: Vec<(ItemId, IdempotencyKey, String)> = query(for_each_row!(
        "SELECT k.item_id, k.key, k.request_hash FROM",
        [item_id id, key text],
        "CROSS JOIN hall_calls k WHERE k.item_id = given.item_id AND k.key = given.key"
    ))
    .bind(rows(wanted.iter().map(row))?)
    .fetch_all(conn)
    .await?;
    Ok(kept.into_iter().map(|(item_id, key, hash)| (CallKey { item_id, key }, hash)).collect())
}

pub(super) async fn insert_call(conn: &mut Transaction, call: &KeyedCall) -> Result<(), DbError> {
    query("INSERT INTO hall_calls (item_id, key, request_hash, created_at) VALUES ($1, $2, $3, $4)")
        .bind(call.item_id)
        .bind(call.request.key.as_str())
        .bind(call.request.hash())
        .bind(call.at)
        .execute(conn)
        .await?;
    Ok(())
}

pub(super) fn insert_calls(writes: &mut WriteBatch, calls: &[KeyedCall]) {
    const STATEMENT: BulkStatement = bulk_statement!(insert hall_calls [
        item_id uuid, key text, request_hash text, created_at bigint,
    ]);
    let row = |KeyedCall { item_id, request, at }: &KeyedCall| {
        row![*item_id, request.key.as_str(), request.hash(), *at]
    };
    writes.add(STATEMENT, calls.iter().map(row));
}

/// Deletes calls that came before `before`: not all at once, so that it holds up no bid.
pub(super) fn purge_calls(writes: &mut WriteBatch, before: Moment) {
    const STATEMENT: BulkStatement = bulk_statement!(
        "DELETE FROM hall_calls WHERE (item_id, key) IN (SELECT k.item_id, k.key FROM",
        [before bigint],
        "JOIN hall_calls k ON k.created_at < given.before LIMIT 1000)"
    );
    writes.add(STATEMENT, [row![before]]);
}
