//! What the release source answered last, in SQL.

use platform::db::{Connection, DbError, query, query_scalar};
use platform::time::Moment;

use super::Release;
use super::version::{HOUR_SECONDS, Heard, stored_release};

/// A row: tag, address, why nothing new is known.
type HeardRow = (Option<String>, Option<String>, Option<String>);

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
    let asked_at: Option<Moment> = query_scalar(sql).bind(source).fetch_optional(db).await?;
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
    .bind(now)
    .bind(an_hour_before(now))
    .execute(db)
    .await?;
    Ok(changed == 1)
}

fn an_hour_before(now: Moment) -> Moment {
    now.plus_seconds(-HOUR_SECONDS)
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
