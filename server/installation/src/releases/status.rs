//! The last known state of the latest release.

use semver::Version;

use super::store::{self, KnownRelease, LastCheck};
use super::{CheckError, Source, current};
use crate::settings::store as settings;
use platform::db::{Connection, DbError};
use platform::time::Moment;

const SWITCHED_OFF: &str = "automatic checks are switched off";
const NOT_YET: &str = "the release source has not answered yet";

/// The current version beside the latest release.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReleaseStatus {
    pub current: Version,
    /// The current version if the latest release is not known.
    pub latest: Version,
    pub update_available: bool,
    /// An https address.
    pub release_url: Option<String>,
    /// Notes of the latest release, in Markdown.
    pub notes: Option<String>,
    /// The size of the archive of the latest release for this machine.
    pub download_bytes: Option<u64>,
    /// Why the latest release is not known, or not up to date.
    pub check_error: Option<String>,
    /// More about that, for the Deployment Admin.
    pub check_detail: Option<String>,
    pub is_latest_known: bool,
    /// The last check. `None` before the first.
    pub checked_at: Option<Moment>,
}

/// The status as of the last check. Reads the database only.
pub async fn release_status(db: &mut Connection, source: &Source) -> Result<ReleaseStatus, DbError> {
    if *source == Source::Off {
        let error = Some(CheckError::Off.to_string());
        return Ok(ReleaseStatus::of(LastCheck { error, ..LastCheck::default() }));
    }
    let mut check = store::last_check(db, &source.key()).await?;
    if !settings::auto_check_updates(db).await? {
        // What an earlier check has found may be out of date.
        check.error = check.error.or_else(|| Some(SWITCHED_OFF.to_owned()));
    }
    Ok(ReleaseStatus::of(check))
}

impl ReleaseStatus {
    fn of(LastCheck { release, error, detail, asked_at }: LastCheck) -> Self {
        let current = current();
        let is_latest_known = release.is_some();
        let check_error = error.or_else(|| release.is_none().then(|| NOT_YET.to_owned()));
        match release {
            Some(KnownRelease { tag, url, notes, download_bytes }) => Self {
                update_available: *tag.version() > current,
                latest: tag.version().clone(),
                current,
                release_url: url,
                notes,
                download_bytes,
                check_error,
                check_detail: detail,
                is_latest_known,
                checked_at: asked_at,
            },
            None => Self {
                latest: current.clone(),
                current,
                update_available: false,
                release_url: None,
                notes: None,
                download_bytes: None,
                check_error,
                check_detail: detail,
                is_latest_known,
                checked_at: asked_at,
            },
        }
    }
}
