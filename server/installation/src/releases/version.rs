//! What is known of the latest release. A task asks for it, once an hour and for all servers together, and only while
//! the Deployment Admin lets it; whoever wants to know reads what was heard last.

use std::sync::Arc;

use std::time::Duration;

use semver::Version;
use sha2::{Digest, Sha256};

use super::{Release, Source, Tag, store};
use crate::Installation;
use crate::releases;
use crate::settings::store as settings;
use platform::db::{Connection, DbError};

/// Between two questions, at least.
pub(super) const HOUR_SECONDS: i64 = 60 * 60;
/// How often it is looked whether it is time.
const LOOK_EVERY: Duration = Duration::from_secs(5 * 60);

const SWITCHED_OFF: &str = "automatic checks are switched off";
const NOT_YET: &str = "the release source has not answered yet";

/// What is known.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Known {
    pub current: Version,
    /// The current one where nothing is known.
    pub latest: Version,
    pub update_available: bool,
    /// An https address.
    pub release_url: Option<String>,
    /// Why nothing is known, or nothing new.
    pub check_error: Option<String>,
}

/// What a row holds.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Heard {
    pub release: Option<Release>,
    pub error: Option<String>,
}

pub async fn known(db: &mut Connection, source: &Source) -> Result<Known, DbError> {
    if !settings::auto_check_updates(db).await? {
        return Ok(Known::of(Heard { release: None, error: Some(SWITCHED_OFF.to_owned()) }));
    }
    Ok(Known::of(store::heard(db, &key(source)).await?))
}

impl Known {
    fn of(Heard { release, error }: Heard) -> Self {
        let current = releases::current();
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

/// Asks by itself until the server stops.
pub fn follow(installation: Arc<Installation>) {
    tokio::spawn(async move {
        loop {
            if let Err(error) = check_if_due(&installation).await {
                tracing::warn!(
                    error = &error as &dyn std::error::Error,
                    "can't note what the latest release is"
                );
            }
            tokio::select! {
                () = installation.stopping.cancelled() => return,
                () = installation.check_due.notified() => {}
                () = tokio::time::sleep(LOOK_EVERY) => {}
            }
        }
    });
}

/// Asks if an hour has passed since anybody did, and if it is allowed.
pub async fn check_if_due(installation: &Installation) -> Result<(), DbError> {
    let source = Source::of(&installation.settings);
    let key = key(&source);
    let now = installation.clock.now();
    let mut db = installation.db.read().await?;
    if !settings::auto_check_updates(&mut db).await? || !store::check_is_due(&mut db, &key, now).await? {
        return Ok(());
    }
    drop(db);
    let mut db = installation.db.write().await?;
    // Looked at once more by the statement that decides: others ask as well.
    let is_mine =
        settings::auto_check_updates(&mut db).await? && store::take_check(&mut db, &key, now).await?;
    db.commit().await?;
    if !is_mine {
        return Ok(());
    }
    let heard = releases::latest(&source).await;
    let mut db = installation.db.write().await?;
    match heard {
        Ok(release) => store::set_heard(&mut db, &key, &release).await?,
        Err(error) => store::set_check_failed(&mut db, &key, &error.to_string()).await?,
    }
    db.commit().await
}

/// A source by the SHA-256 of where it is, since an address may hold a password.
fn key(source: &Source) -> String {
    let place = match source {
        Source::Git(folder) => format!("git {}", folder.display()),
        Source::Api(address) => address.clone(),
    };
    Sha256::digest(place.as_bytes()).iter().map(|byte| format!("{byte:02x}")).collect()
}

/// A release as a row holds it: what is no plain version in this release's eyes is none.
pub(super) fn stored_release(tag: Option<String>, url: Option<String>) -> Option<Release> {
    let tag: Tag = tag?.parse().ok()?;
    Some(Release { tag, url })
}
