//! SQL on the last answer of each release source.

use platform::db::{Connection, DbError, Transaction, query, query_scalar};
use platform::time::Moment;

use super::{CheckError, Release, Tag};

/// The minimum time between two checks.
const HOUR_SECONDS: i64 = 60 * 60;

/// What is stored of a release.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KnownRelease {
    pub tag: Tag,
    /// An https address.
    pub url: Option<String>,
    /// In Markdown.
    pub notes: Option<String>,
    /// The size of its archive for the machine that has asked.
    pub download_bytes: Option<u64>,
}

/// What is stored of the last check.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct LastCheck {
    pub release: Option<KnownRelease>,
    pub error: Option<String>,
    /// More about the error, for the Deployment Admin.
    pub detail: Option<String>,
    /// `None` before the first check.
    pub asked_at: Option<Moment>,
}

/// A row: tag, address, notes, size of the archive, error, detail, time.
type CheckRow = (
    Option<String>,
    Option<String>,
    Option<String>,
    Option<i64>,
    Option<String>,
    Option<String>,
    Option<Moment>,
);

/// The last check of this source.
pub async fn last_check(db: &mut Connection, source: &str) -> Result<LastCheck, DbError> {
    let sql = "SELECT tag, url, notes, download_bytes, error, detail, asked_at FROM release_checks
               WHERE source = $1";
    let row: Option<CheckRow> = query(sql).bind(source).fetch_optional(db).await?;
    let (tag, url, notes, bytes, error, detail, asked_at) = row.unwrap_or_default();
    // A tag that this version does not accept counts as none.
    let release = tag.and_then(|tag| tag.parse().ok()).map(|tag| {
        let download_bytes = bytes.and_then(|bytes| u64::try_from(bytes).ok());
        KnownRelease { tag, url, notes, download_bytes }
    });
    Ok(LastCheck { release, error, detail, asked_at })
}

/// Whether no server has asked this source for an hour.
pub async fn check_is_due(db: &mut Connection, source: &str, now: Moment) -> Result<bool, DbError> {
    let sql = "SELECT asked_at FROM release_checks WHERE source = $1";
    let asked_at: Option<Moment> = query_scalar(sql).bind(source).fetch_optional(db).await?;
    Ok(asked_at.is_none_or(|asked_at| asked_at <= an_hour_before(now)))
}

/// Stores that this server asks now, whenever the source was asked before.
pub async fn begin_check(db: &mut Transaction, source: &str, now: Moment) -> Result<(), DbError> {
    query(
        "INSERT INTO release_checks (source, asked_at) VALUES ($1, $2)
         ON CONFLICT (source) DO UPDATE SET asked_at = excluded.asked_at",
    )
    .bind(source)
    .bind(now)
    .execute(db)
    .await?;
    Ok(())
}

/// Whether this server got the check; `false` if another server was faster.
pub async fn claim_check(db: &mut Transaction, source: &str, now: Moment) -> Result<bool, DbError> {
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

pub async fn set_release(db: &mut Transaction, source: &str, release: &Release) -> Result<(), DbError> {
    query(
        "UPDATE release_checks
         SET tag = $2, url = $3, notes = $4, download_bytes = $5, error = NULL, detail = NULL
         WHERE source = $1",
    )
    .bind(source)
    .bind(release.tag.as_str())
    .bind(&release.url)
    .bind(&release.notes)
    .bind(release.download_bytes().and_then(|bytes| i64::try_from(bytes).ok()))
    .execute(db)
    .await?;
    Ok(())
}

/// Stores why the check failed. The release of the check before stays.
pub async fn set_error(db: &mut Transaction, source: &str, error: &CheckError) -> Result<(), DbError> {
    let sql = "UPDATE release_checks SET error = $2, detail = $3 WHERE source = $1";
    query(sql).bind(source).bind(error.to_string()).bind(error.detail()).execute(db).await?;
    Ok(())
}
