//! The running version, the latest release, and what an update to it needs, as page data.

use app::model::{UpdateSource, VersionFacts};
use installation::check::update_config;
use installation::releases::status::release_status;
use installation::releases::{Source, is_checkout};
use installation::servers;
use installation::updates::{self, Config, ReleaseSource};
use platform::db::{Connection, DbError};
use platform::time::Moment;

use crate::state::AppState;

/// Why an installation without git that takes no archives can't be updated.
const NO_CHECKOUT: &str = "it is no git checkout, and `update.toml` does not say that it takes archives. The documentation \
                           describes both";

pub(super) async fn facts(
    state: &AppState,
    db: &mut Connection,
    source: &Source,
) -> Result<VersionFacts, DbError> {
    let status = release_status(db, source).await?;
    let (source_of_updates, obstacle) = update_source(state, status.download_bytes);
    Ok(VersionFacts {
        current: status.current.to_string(),
        latest: status.latest.to_string(),
        update_available: status.update_available,
        release_url: status.release_url,
        check_error: status.check_error,
        check_detail: status.check_detail,
        is_latest_known: status.is_latest_known,
        checked_at: status.checked_at.map(Moment::millis),
        can_check: *source != Source::Off,
        source: source_of_updates,
        obstacle,
        last_update_seconds: updates::last_update_seconds(db).await?,
        notes: state.pages.rendered(status.notes.unwrap_or_default()),
        other_servers: other_servers(state).await?,
    })
}

/// What updates make a release from, and why that can't work here.
fn update_source(state: &AppState, download_bytes: Option<u64>) -> (UpdateSource, Option<String>) {
    let settings = &state.installation.settings;
    let (config, error) = match update_config(settings) {
        Ok(config) => (config, None),
        Err(error) => (Config::default(), Some(error.to_string())),
    };
    match config.source {
        ReleaseSource::Archive { .. } => (UpdateSource::Archive { bytes: download_bytes }, error),
        ReleaseSource::Git { .. } => {
            let none = || (!is_checkout(&settings.install_dir)).then(|| NO_CHECKOUT.to_owned());
            let disk_mb = config.limits.build_disk_mb;
            let source = match config.steps.build {
                Some(_) => UpdateSource::OwnBuild,
                None => UpdateSource::Compiled { disk_mb },
            };
            (source, error.or_else(none))
        }
    }
}

/// Machine and version of each server with another release.
async fn other_servers(state: &AppState) -> Result<Vec<(String, String)>, DbError> {
    let others = servers::others(&state.installation).await?;
    Ok(others.into_iter().map(|other| (other.host, other.version)).collect())
}
