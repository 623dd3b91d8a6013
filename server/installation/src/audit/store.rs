//! SQL on the audit log.

use platform::db::{Connection, DbError, query, stored_id, stored_moment};
use platform::time::Moment;

use crate::ids::{AuditId, UserId};

/// A row: time, actor, action, subject, detail.
type Columns = (i64, Option<String>, String, Option<String>, Option<String>);

/// An entry with the ids of users.
pub(super) struct EntryRow {
    pub at: Moment,
    pub actor: Option<UserId>,
    pub action: String,
    pub subject: Option<UserId>,
    pub detail: Option<String>,
}

pub(super) async fn insert_entry(
    db: &mut Connection,
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
    .bind(id.to_string())
    .bind(actor.map(|actor| actor.to_string()))
    .bind(action)
    .bind(subject.map(|subject| subject.to_string()))
    .bind(detail)
    .bind(now.millis())
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
    let user = |id: Option<String>| id.map(|id| stored_id(&id)).transpose();
    let entry = |(at, actor, action, subject, detail)| {
        let (actor, subject) = (user(actor)?, user(subject)?);
        Ok(EntryRow { at: stored_moment(at)?, actor, action, subject, detail })
    };
    rows.into_iter().map(entry).collect()
}
