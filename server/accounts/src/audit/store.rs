//! SQL on the audit log.

use platform::db::{Connection, DbError, Transaction, query};
use platform::time::Moment;

use crate::ids::{AuditId, UserId};

/// A row: time, actor, action, subject, detail.
type Columns = (Moment, Option<UserId>, String, Option<UserId>, Option<String>);

/// An entry with the ids of users.
pub(super) struct EntryRow {
    pub at: Moment,
    pub actor: Option<UserId>,
    pub action: String,
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
    let rows: Vec<Columns> = query(
        "SELECT created_at, actor_id, act, subject_id, detail FROM audit_log ORDER BY id DESC LIMIT $1",
    )
    .bind(limit)
    .fetch_all(db)
    .await?;
    let entry = |(at, actor, action, subject, detail)| EntryRow { at, actor, action, subject, detail };
    Ok(rows.into_iter().map(entry).collect())
}
