//! SQL on the audit log.

use platform::db::{Connection, DbError, Transaction, query};
use platform::time::Moment;

use crate::ids::{AuditId, UserId};

/// An entry with the ids of users.
#[derive(sqlx_macros::FromRow)]
pub(super) struct EntryRow {
    #[sqlx(rename = "created_at")]
    pub at: Moment,
    #[sqlx(rename = "actor_id")]
    pub actor: Option<UserId>,
    #[sqlx(rename = "act")]
    pub action: String,
    #[sqlx(rename = "subject_id")]
    pub subject: Option<UserId>,
    pub detail: Option<String>,
}

pub(super) async fn insert_entry(
    db: &mut Transaction,
    id: AuditId,
    actor: Option<UserId>,
    action: &str,
    subject: Option<UserId>,
    detail: Option<String>,
    now: Moment,
) -> Result<(), DbError> {
    query(
        "INSERT INTO audit_log (id, actor_id, act, subject_id, detail, created_at)
         VALUES ($1, $2, $3, $4, $5, $6)",
    )
    .bind(id)
    .bind(actor)
    .bind(action)
    .bind(subject)
    .bind(detail)
    .bind(now)
    .execute(db)
    .await?;
    Ok(())
}

/// The latest entries, newest first.
pub(super) async fn latest_entries(db: &mut Connection, limit: i64) -> Result<Vec<EntryRow>, DbError> {
    query("SELECT created_at, actor_id, act, subject_id, detail FROM audit_log ORDER BY id DESC LIMIT $1")
        .bind(limit)
        .fetch_all(db)
        .await
}
