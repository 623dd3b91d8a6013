//! The servers of one PostgreSQL database and their releases: each updates by itself, so that one may stay
//! behind.

pub mod store;

use std::sync::Arc;
use std::time::Duration;

use crate::Installation;
use platform::db::DbError;
use platform::log_field::logged;
use platform::machine;
use platform::time::Moment;
use store::OtherServer;

const INTERVAL: Duration = Duration::from_secs(60);
/// A server that was not seen for so long has ended.
const SEEN_SECONDS: i64 = 3 * 60;
const FORGOTTEN_SECONDS: i64 = 60 * 60;
const VERSION: &str = env!("CARGO_PKG_VERSION");

/// Announces this server to the others once a minute, and warns of those with another release, until this
/// server is told to stop. Then it is no longer announced. A SQLite file has one server.
pub async fn run(installation: Arc<Installation>) {
    if !installation.db.is_remote() {
        return;
    }
    let stopping = installation.stopping.clone();
    let work = async {
        let (mut reported, mut apart) = (Vec::new(), Vec::new());
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
            if let Ok(others) = with_other_pictures(&installation).await {
                for host in others.iter().filter(|host| !apart.contains(*host)) {
                    tracing::warn!(
                        "the server `{host}` keeps pictures in another store than this one, so that each lacks those of \
                         the other: give both the same --images"
                    );
                }
                apart = others;
            }
            tokio::time::sleep(INTERVAL).await;
        }
    };
    stopping.run_until_cancelled(work).await;
    if let Err(error) = leave(&installation).await {
        tracing::info!(error = logged(&error), "the other servers see this one for some minutes more");
    }
}

/// Servers seen since that moment may still run.
pub fn still_running_since(now: Moment) -> Moment {
    now.plus_seconds(-SEEN_SECONDS)
}

/// Announces this server, and returns the others with another release.
pub async fn round(installation: &Installation) -> Result<Vec<OtherServer>, DbError> {
    let (id, host) = own_id(installation);
    let now = installation.clock.now();
    let own = OtherServer { host, version: VERSION.to_owned() };
    let mut transaction = installation.db.write().await?;
    store::announce(&mut transaction, &id, &own, now, now.plus_seconds(-FORGOTTEN_SECONDS)).await?;
    if let Some(images) = installation.image_store.get() {
        store::keep_store(&mut transaction, &id, images).await?;
    }
    transaction.commit().await?;
    others(installation).await
}

async fn leave(installation: &Installation) -> Result<(), DbError> {
    let mut transaction = installation.db.write_always().await?;
    store::leave(&mut transaction, &own_id(installation).0).await?;
    transaction.commit().await
}

/// The id of this server among those of the database, and its machine.
fn own_id(installation: &Installation) -> (String, String) {
    let host = machine::host_name();
    let data_dir = std::path::absolute(&installation.settings.data_dir).unwrap_or_default();
    (format!("{host} {}", data_dir.display()), host)
}

/// The machines of servers that keep pictures in another store than this one.
pub async fn with_other_pictures(installation: &Installation) -> Result<Vec<String>, DbError> {
    let Some(images) = installation.image_store.get() else { return Ok(Vec::new()) };
    let since = still_running_since(installation.clock.now());
    store::with_other_store(&mut installation.db.read().await?, images, since).await
}

/// The servers that run another release than this one.
pub async fn others(installation: &Installation) -> Result<Vec<OtherServer>, DbError> {
    let since = still_running_since(installation.clock.now());
    store::with_other_version(&mut installation.db.read().await?, VERSION, since).await
}
