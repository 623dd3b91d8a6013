//! SQL on the audit log.

use platform::db::{Connection, DbError, Transaction, query};
use platform::net::ClientAddress;
use platform::time::Moment;

use super::{AuditAction, AuditEntry};
use crate::ids::{AuditId, UserId};

pub(super) async fn insert_entry(
    db: &mut Transaction,
    id: AuditId,
    actor: Option<UserId>,
    action: &AuditAction,
    address: Option<ClientAddress>,
    now: Moment,
) -> Result<(), DbError> {
    query(
        "INSERT INTO audit_log (id, actor_id, act, subject_id, detail, created_at, address)
         VALUES ($1, $2, $3, $4, $5, $6, $7)",
    )
    .bind(id)
    .bind(actor)
    .bind(action.name())
    .bind(action.subject())
    .bind(action.detail())
    .bind(now)
    .bind(address.map(|address| address.to_string()))
    .execute(db)
    .await?;
    Ok(())
}

/// The latest entries, newest first: those of sign-ins and accounts of their users, or all others.
pub(super) async fn latest_entries(
    db: &mut Connection,
    of_people: bool,
    limit: i64,
) -> Result<Vec<AuditEntry<UserId>>, DbError> {
    query(
        "SELECT created_at AS at, actor_id AS actor, act AS action, subject_id AS subject, detail, address FROM audit_log
         WHERE (act IN ('SIGN_IN', 'SIGN_IN_FAILED', 'REGISTERED', 'PASSWORD_CHANGED', 'EMAIL_CHANGED', 'EMAIL_CONFIRMED',
                        'SECOND_FACTOR_ON', 'SECOND_FACTOR_OFF', 'RECOVERY_CODES_RENEWED', 'UPGRADE_UNDONE', 'ACCOUNT_DELETED')) = $1
         ORDER BY id DESC LIMIT $2",
    )
        .bind(of_people)
        .bind(limit)
        .fetch_all(db)
        .await
}
