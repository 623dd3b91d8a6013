//! SQL on the servers of one database.

use platform::db::{Connection, DbError, Transaction, query, query_scalar};
use platform::time::Moment;

/// A server, by its machine.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OtherServer {
    pub host: String,
    pub version: String,
}

/// Stores that the server `id` runs this version now, and forgets those not seen since `forgotten`.
pub async fn announce(
    db: &mut Transaction,
    id: &str,
    server: &OtherServer,
    now: Moment,
    forgotten: Moment,
) -> Result<(), DbError> {
    query("DELETE FROM servers WHERE seen_at < $1").bind(forgotten).execute(db).await?;
    query(
        "INSERT INTO servers (id, host, version, seen_at) VALUES ($1, $2, $3, $4)
         ON CONFLICT (id) DO UPDATE SET host = excluded.host, version = excluded.version, seen_at = excluded.seen_at",
    )
    .bind(id)
    .bind(&server.host)
    .bind(&server.version)
    .bind(now)
    .execute(db)
    .await?;
    Ok(())
}

/// The servers seen since that moment that run another version, by their names.
pub async fn with_other_version(
    db: &mut Connection,
    version: &str,
    since: Moment,
) -> Result<Vec<OtherServer>, DbError> {
    let sql = "SELECT host, version FROM servers WHERE version <> $1 AND seen_at >= $2 ORDER BY host, version LIMIT 100";
    let rows: Vec<(String, String)> = query(sql).bind(version).bind(since).fetch_all(db).await?;
    Ok(rows.into_iter().map(|(host, version)| OtherServer { host, version }).collect())
}

/// Stores which store of pictures the server `id` uses.
pub async fn keep_store(db: &mut Transaction, id: &str, images: &str) -> Result<(), DbError> {
    query("UPDATE servers SET images = $1 WHERE id = $2").bind(images).bind(id).execute(db).await.map(drop)
}

/// The machines of servers seen since that moment that keep pictures in another store.
pub async fn with_other_store(
    db: &mut Connection,
    images: &str,
    since: Moment,
) -> Result<Vec<String>, DbError> {
    let sql = "SELECT host FROM servers WHERE images <> $1 AND seen_at >= $2 ORDER BY host LIMIT 100";
    query_scalar(sql).bind(images).bind(since).fetch_all(db).await
}

/// Forgets the server `id`.
pub async fn leave(db: &mut Transaction, id: &str) -> Result<(), DbError> {
    query("DELETE FROM servers WHERE id = $1").bind(id).execute(db).await.map(drop)
}

/// The machine of a server that was seen since that moment.
pub async fn seen_since(db: &mut Connection, since: Moment) -> Result<Option<String>, DbError> {
    let sql = "SELECT host FROM servers WHERE seen_at >= $1 ORDER BY seen_at DESC LIMIT 1";
    query_scalar(sql).bind(since).fetch_optional(db).await
}
