//! The audit log in SQL.

use platform::db::{Connection, DbError, query};
use platform::time::Moment;

use super::Entry;
use crate::ids::{AuditId, UserId};

/// A row: when, who, what, about whom, and more of it.
type EntryRow = (Moment, Option<String>, String, Option<String>, Option<String>);

pub async fn insert_entry(
    db: &mut Connection,
    id: AuditId,
    actor: Option<UserId>,
    act: &str,
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
    .bind(act)
    .bind(subject)
    .bind(detail)
    .bind(now)
    .execute(db)
    .await?;
    Ok(())
}

/// The latest entries, newest first.
pub async fn latest_entries(db: &mut Connection, limit: i64) -> Result<Vec<Entry>, DbError> {
    let rows: Vec<EntryRow> = query(
        "SELECT e.created_at, a.name, e.act, s.name, e.detail
         FROM audit_log e LEFT JOIN users a ON a.id = e.actor_id LEFT JOIN users s ON s.id = e.subject_id
         ORDER BY e.id DESC LIMIT $1",
    )
    .bind(limit)
    .fetch_all(db)
    .await?;
    let entry = |(at, actor, act, subject, detail)| Entry { at, actor, act, subject, detail };
    Ok(rows.into_iter().map(entry).collect())
}
