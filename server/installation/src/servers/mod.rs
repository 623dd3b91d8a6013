//! The servers of one PostgreSQL database and their releases: each updates by itself, so that one may stay
//! behind.

pub mod store;

use std::sync::Arc;
use std::time::Duration;

use crate::Installation;
use platform::db::DbError;
use platform::log_field::logged;
use platform::machine;
use store::OtherServer;

const INTERVAL: Duration = Duration::from_secs(60);
/// A server that was not seen for so long has ended.
const SEEN_SECONDS: i64 = 3 * 60;
const FORGOTTEN_SECONDS: i64 = 60 * 60;
const VERSION: &str = env!("CARGO_PKG_VERSION");

/// Announces this server to the others once a minute, and warns of those with another release, until this
/// server is told to stop. A SQLite file has one server.
pub async fn run(installation: Arc<Installation>) {
    if !installation.db.is_remote() {
        return;
    }
    let stopping = installation.stopping.clone();
    let work = async {
        let mut reported = Vec::new();
        loop {
            match round(&installation).await {
                Ok(others) => {
                    for other in others.iter().filter(|other| !reported.contains(*other)) {
                        let OtherServer { host, version } = other;
                        tracing::warn!(
                            "the server `{host}` runs {version} and this one {VERSION}: update the older one"
                        );
                    }
                    reported = others;
                }
                Err(error) if error.is_busy() || error.is_away() => {}
                Err(error) => {
                    tracing::error!(error = logged(&error), "can't announce this server to the others")
                }
            }
            tokio::time::sleep(INTERVAL).await;
        }
    };
    stopping.run_until_cancelled(work).await;
}

/// Announces this server, and returns the others with another release.
pub async fn round(installation: &Installation) -> Result<Vec<OtherServer>, DbError> {
    let (host, now) = (machine::host_name(), installation.clock.now());
    let data_dir = std::path::absolute(&installation.settings.data_dir).unwrap_or_default();
    let id = format!("{host} {}", data_dir.display());
    let own = OtherServer { host, version: VERSION.to_owned() };
    let mut transaction = installation.db.write().await?;
    store::announce(&mut transaction, &id, &own, now, now.plus_seconds(-FORGOTTEN_SECONDS)).await?;
    transaction.commit().await?;
    others(installation).await
}

/// The servers that run another release than this one.
pub async fn others(installation: &Installation) -> Result<Vec<OtherServer>, DbError> {
    let since = installation.clock.now().plus_seconds(-SEEN_SECONDS);
    store::with_other_version(&mut installation.db.read().await?, VERSION, since).await
}
