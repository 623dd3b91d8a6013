//! The last known state of the latest release.

use semver::Version;

use super::store::{self, LastCheck};
use super::{Release, Source, current};
use crate::settings::store as settings;
use platform::db::{Connection, DbError};

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
    /// Why the latest release is not known, or not up to date.
    pub check_error: Option<String>,
}

/// The status as of the last check. Reads the database only.
pub async fn release_status(db: &mut Connection, source: &Source) -> Result<ReleaseStatus, DbError> {
    if !settings::auto_check_updates(db).await? {
        return Ok(ReleaseStatus::of(LastCheck { release: None, error: Some(SWITCHED_OFF.to_owned()) }));
    }
    Ok(ReleaseStatus::of(store::last_check(db, &source.key()).await?))
}

impl ReleaseStatus {
    fn of(LastCheck { release, error }: LastCheck) -> Self {
        let current = current();
        let check_error = error.or_else(|| release.is_none().then(|| NOT_YET.to_owned()));
        match release {
            Some(Release { tag, url }) => Self {
                update_available: *tag.version() > current,
                latest: tag.version().clone(),
                current,
                release_url: url,
                check_error,
            },
            None => Self {
                latest: current.clone(),
                current,
                update_available: false,
                release_url: None,
                check_error,
            },
        }
    }
}
