//! The running version, the latest release, and what an update to it needs, as page data.

use app::components::moment::{date_and_time, stamp};
use app::components::prose::Prose;
use app::model::RenderedText;
use installation::check::update_config;
use installation::releases::status::release_status;
use installation::releases::{Source, is_checkout};
use installation::updates::{Config, ReleaseSource};
use installation::{servers, updates};
use leptos::prelude::*;
use platform::db::{Connection, DbError};
use platform::time::Moment;

use super::update::quoted;
use crate::state::AppState;

/// The running version and the latest release.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct VersionFacts {
    pub current: String,
    /// The current version if the latest one is unknown.
    pub latest: String,
    pub update_available: bool,
    /// HTTPS address of the notes of the latest release.
    pub release_url: Option<String>,
    /// Why the latest version is not known, or not up to date.
    pub check_error: Option<String>,
    /// More about that.
    pub check_detail: Option<String>,
    pub is_latest_known: bool,
    /// The last check, if there was one.
    pub checked_at: Option<i64>,
    /// Whether releases can be looked up at all.
    pub can_check: bool,
    pub source: UpdateSource,
    /// Why nothing can be updated here.
    pub obstacle: Option<String>,
    /// Duration of the last update that has succeeded.
    pub last_update_seconds: Option<i64>,
    /// Notes of the latest release. Empty if they are not known.
    pub notes: RenderedText,
    /// Servers of the same database that run another version: machine and version.
    pub other_servers: Vec<(String, String)>,
}

/// Source of the releases that an update installs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum UpdateSource {
    /// A tag of a git checkout, which is compiled here.
    Compiled {
        /// Free disk that is required, in MiB.
        disk_mb: u64,
    },
    /// The same, with a command of the operator.
    OwnBuild,
    Archive {
        /// Size of the archive of the latest release, if it is known.
        bytes: Option<u64>,
    },
}

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

#[component]
pub fn Version(version: VersionFacts, auto_check_updates: bool) -> impl IntoView {
    let VersionFacts {
        current,
        latest,
        update_available,
        release_url,
        check_error,
        check_detail,
        is_latest_known,
        checked_at,
        can_check,
        other_servers,
        notes,
        ..
    } = version;
    let status = match (update_available, is_latest_known, check_error) {
        (true, ..) => "There is a newer release. Only the latest one is supported.".to_owned(),
        (false, true, None) => "This is the latest release.".to_owned(),
        (false, true, Some(why)) => format!("As far as known, this is the latest release: {}.", quoted(&why)),
        (false, false, why) => {
            format!("Can’t tell whether there is a newer release: {}.", quoted(&why.unwrap_or_default()))
        }
    };
    let others = other_servers.into_iter().map(|(host, version)| {
        view! {
            <p class="notice">
                {format!("The server “{host}” of the same database runs {version}. Update the older one, too: each server is updated by itself.")}
            </p>
        }
    });
    let others = others.collect_view();
    let checked = checked_at.map(|at| {
        view! {
            <div>
                <dt>"Last check"</dt>
                <dd>
                    <time datetime=stamp(at)>{date_and_time(at)}</time>
                </dd>
            </div>
        }
    });
    let check = can_check.then(|| {
        view! {
            <form method="post" action="/admin/look-up">
                <button class="button" type="submit">
                    "Check now"
                </button>
            </form>
        }
    });
    let link = release_url.map(|url| {
        view! {
            <a href=url rel="noreferrer">
                "Release notes"
            </a>
        }
    });
    let summary = format!("What {latest} says of itself");
    let notes = (!notes.html().is_empty()).then(|| {
        view! {
            <details class="release-notes" open=update_available>
                <summary>{summary}</summary>
                <Prose text=notes />
            </details>
        }
    });
    view! {
        <section class="admin-section" aria-labelledby="version">
            <h2 id="version">"Version"</h2>
            <dl class="admin-facts">
                <div>
                    <dt>"Running"</dt>
                    <dd>{current}</dd>
                </div>
                <div>
                    <dt>"Latest"</dt>
                    <dd>{if is_latest_known { latest } else { "Not known".to_owned() }} " " {link}</dd>
                </div>
                {checked}
            </dl>
            {others}
            <p>{status}</p>
            {notes}
            {check_detail.map(|detail| view! { <p>{quoted(&detail)}</p> })}
            {check}
            <form class="admin-form" method="post" action="/admin/checks">
                <div class="field choice">
                    <input
                        id="field-autoCheckUpdates"
                        name="autoCheckUpdates"
                        type="checkbox"
                        value="true"
                        checked=auto_check_updates
                        aria-describedby="field-autoCheckUpdates-hint"
                    />
                    <label for="field-autoCheckUpdates">"Automatic update checks"</label>
                    <p class="hint" id="field-autoCheckUpdates-hint">
                        "At most once an hour. If switched off, new releases are checked for only when you ask for it or start an update."
                    </p>
                </div>
                <button class="button" type="submit">
                    "Save"
                </button>
            </form>
        </section>
    }
}
