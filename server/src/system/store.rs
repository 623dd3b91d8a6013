//! The system's settings and the audit log in SQL.

use super::SystemSettings;
use super::audit::Entry;
use super::release::Release;
use super::version::{HOUR_SECONDS, Heard, stored_release};
use crate::accounts::email::Email;
use crate::accounts::{self, User};
use crate::clock::Moment;
use crate::db::{Connection, DbError, Transaction, query, query_scalar, stored_id, stored_moment};
use crate::ids::{AuditId, UserId};

/// A row: when, who, what, about whom, and more of it.
type EntryRow = (i64, Option<String>, String, Option<String>, Option<String>);

/// A row: tag, address, why nothing new is known.
type HeardRow = (Option<String>, Option<String>, Option<String>);

/// The settings; before anything was set, the defaults.
pub async fn settings(db: &mut Connection) -> Result<SystemSettings, DbError> {
    let sql = "SELECT deployment_admin_id, auto_check_updates FROM system_settings WHERE id = 'system'";
    let row: Option<(Option<String>, bool)> = query(sql).fetch_optional(db).await?;
    let (admin, auto_check_updates) = row.unwrap_or((None, true));
    let admin = match admin {
        Some(id) => accounts::store::user_by_id(db, stored_id(&id)?).await?,
        None => None,
    };
    Ok(SystemSettings { admin, auto_check_updates })
}

pub async fn admin_id(db: &mut Connection) -> Result<Option<UserId>, DbError> {
    let sql = "SELECT deployment_admin_id FROM system_settings WHERE id = 'system'";
    let id: Option<Option<String>> = query_scalar(sql).fetch_optional(db).await?;
    id.flatten().map(|id| stored_id(&id)).transpose()
}

/// Whose e-mail it is. Their account is held, so that it is not deleted or renamed meanwhile.
pub async fn registered(db: &mut Transaction, email: &Email) -> Result<Option<User>, DbError> {
    let Some((found, _)) = accounts::store::by_email(db, email).await? else { return Ok(None) };
    db.hold_user(found.id).await?;
    let still = accounts::store::by_email(db, email).await?;
    Ok(still.map(|(user, _)| user).filter(|user| user.id == found.id))
}

/// Whether the user got the administration, which nobody had. One statement decides, for all servers.
pub async fn claim(db: &mut Connection, user: UserId, now: Moment) -> Result<bool, DbError> {
    let changed = query(
        "INSERT INTO system_settings (id, deployment_admin_id, auto_check_updates, created_at, updated_at)
         VALUES ('system', $1, TRUE, $2, $2)
         ON CONFLICT (id) DO UPDATE
         SET deployment_admin_id = excluded.deployment_admin_id, updated_at = excluded.updated_at
         WHERE system_settings.deployment_admin_id IS NULL",
    )
    .bind(user.to_string())
    .bind(now.millis())
    .execute(db)
    .await?;
    Ok(changed == 1)
}

/// Gives the administration to the user, whoever has it.
pub async fn appoint(db: &mut Connection, user: UserId, now: Moment) -> Result<(), DbError> {
    query(
        "INSERT INTO system_settings (id, deployment_admin_id, auto_check_updates, created_at, updated_at)
         VALUES ('system', $1, TRUE, $2, $2)
         ON CONFLICT (id) DO UPDATE
         SET deployment_admin_id = excluded.deployment_admin_id, updated_at = excluded.updated_at",
    )
    .bind(user.to_string())
    .bind(now.millis())
    .execute(db)
    .await?;
    Ok(())
}

/// Whether `admin` still was the Deployment Admin, and so has set both.
pub async fn update(
    db: &mut Connection,
    admin: UserId,
    next: UserId,
    auto_check_updates: bool,
    now: Moment,
) -> Result<bool, DbError> {
    let changed = query(
        "UPDATE system_settings SET deployment_admin_id = $2, auto_check_updates = $3, updated_at = $4
         WHERE id = 'system' AND deployment_admin_id = $1",
    )
    .bind(admin.to_string())
    .bind(next.to_string())
    .bind(auto_check_updates)
    .bind(now.millis())
    .execute(db)
    .await?;
    Ok(changed == 1)
}

/// To be called where a user changes their e-mail: the settings show another one if it is the Deployment Admin.
pub async fn admin_has_moved(db: &mut Connection, user: UserId, now: Moment) -> Result<(), DbError> {
    query("UPDATE system_settings SET updated_at = $2 WHERE id = 'system' AND deployment_admin_id = $1")
        .bind(user.to_string())
        .bind(now.millis())
        .execute(db)
        .await?;
    Ok(())
}

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
    .bind(id.to_string())
    .bind(actor.map(|actor| actor.to_string()))
    .bind(act)
    .bind(subject.map(|subject| subject.to_string()))
    .bind(detail)
    .bind(now.millis())
    .execute(db)
    .await?;
    Ok(())
}

/// What was heard last from this source.
pub async fn heard(db: &mut Connection, source: &str) -> Result<Heard, DbError> {
    let sql = "SELECT tag, url, error FROM release_checks WHERE source = $1";
    let row: Option<HeardRow> = query(sql).bind(source).fetch_optional(db).await?;
    let (tag, url, error) = row.unwrap_or_default();
    Ok(Heard { release: stored_release(tag, url), error })
}

/// Whether nobody has asked this source for an hour.
pub async fn check_is_due(db: &mut Connection, source: &str, now: Moment) -> Result<bool, DbError> {
    let sql = "SELECT asked_at FROM release_checks WHERE source = $1";
    let asked_at: Option<i64> = query_scalar(sql).bind(source).fetch_optional(db).await?;
    Ok(asked_at.is_none_or(|asked_at| asked_at <= an_hour_before(now)))
}

/// Whether it is this server that asks now: another may have been faster.
pub async fn take_check(db: &mut Connection, source: &str, now: Moment) -> Result<bool, DbError> {
    let changed = query(
        "INSERT INTO release_checks (source, asked_at) VALUES ($1, $2)
         ON CONFLICT (source) DO UPDATE SET asked_at = excluded.asked_at
         WHERE release_checks.asked_at <= $3",
    )
    .bind(source)
    .bind(now.millis())
    .bind(an_hour_before(now))
    .execute(db)
    .await?;
    Ok(changed == 1)
}

fn an_hour_before(now: Moment) -> i64 {
    now.plus_seconds(-HOUR_SECONDS).millis()
}

pub async fn set_heard(db: &mut Connection, source: &str, release: &Release) -> Result<(), DbError> {
    query("UPDATE release_checks SET tag = $2, url = $3, error = NULL WHERE source = $1")
        .bind(source)
        .bind(release.tag.as_str())
        .bind(&release.url)
        .execute(db)
        .await?;
    Ok(())
}

/// What was known stays.
pub async fn set_check_failed(db: &mut Connection, source: &str, error: &str) -> Result<(), DbError> {
    let sql = "UPDATE release_checks SET error = $2 WHERE source = $1";
    query(sql).bind(source).bind(error).execute(db).await?;
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
    let entry =
        |(at, actor, act, subject, detail)| Ok(Entry { at: stored_moment(at)?, actor, act, subject, detail });
    rows.into_iter().map(entry).collect()
}
