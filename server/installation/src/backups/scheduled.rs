//! Backups at the times of `--backup-schedule`. A time that passed while no server ran is made up for at the
//! next start.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use super::create::{BackupError, backup_by_schedule};
use super::folder::{BackupKind, list};
use crate::Installation;
use crate::config::{Schedule, Settings};
use platform::db::copy::file_of;
use platform::log_field::logged;
use platform::time::Clock;

/// The maximum delay of a backup after the clock of the machine was set, or the machine slept.
const LOOK_EVERY: Duration = Duration::from_secs(10 * 60);

/// Makes the backups that are due, until the server stops.
pub async fn run(installation: Arc<Installation>) {
    let settings = &installation.settings;
    let Some(schedule) = settings.backup_schedule else { return };
    // `tolerated` says so of another database.
    if file_of(&settings.database_url).is_err() {
        return;
    }
    let clock = installation.clock.as_ref();
    let work = async {
        loop {
            match back_up_if_due(settings, schedule, clock).await {
                Ok(Some(made)) => tracing::info!(path = %made.display(), "made the backup of the schedule"),
                Ok(None) => {}
                Err(error) => {
                    let error = logged(&error);
                    tracing::error!(
                        error,
                        "can't make the backup of the schedule, trying again in ten minutes"
                    );
                }
            }
            let now = clock.now();
            let millis = schedule.next(now).millis() - now.millis();
            let next = Duration::from_millis(u64::try_from(millis).unwrap_or_default());
            tokio::time::sleep(next.min(LOOK_EVERY)).await;
        }
    };
    installation.stopping.run_until_cancelled(work).await;
}

/// Makes a backup unless there is one since the last time of the schedule.
async fn back_up_if_due(
    settings: &Settings,
    schedule: Schedule,
    clock: &dyn Clock,
) -> Result<Option<PathBuf>, BackupError> {
    let due = schedule.last(clock.now());
    let is_made = |kind: BackupKind, made_at| kind == BackupKind::Scheduled && made_at >= due;
    if list(settings)?.iter().any(|file| is_made(file.kind, file.made_at)) {
        return Ok(None);
    }
    backup_by_schedule(settings, clock).await.map(Some)
}

#[cfg(test)]
mod tests {
    use platform::db::Database;
    use platform::time::ManualClock;

    use super::*;

    #[tokio::test]
    async fn each_day_has_one_backup_and_the_newest_fourteen_stay() {
        let folder = tempfile::tempdir().unwrap();
        let settings = Settings {
            database_url: format!("sqlite://{}", folder.path().join("farthing.db").display()),
            data_dir: folder.path().join("data"),
            ..Settings::default()
        };
        Database::open(&settings.database_url).await.unwrap().close().await;
        let clock = ManualClock::at("2026-05-01T18:00:00Z".parse().unwrap());
        let schedule: Schedule = "daily 03:15".parse().unwrap();
        let made = async || back_up_if_due(&settings, schedule, &clock).await.unwrap();
        let first = made().await.expect("the time has passed today");
        assert!(first.ends_with("data/backups/scheduled_20260501_180000.db"), "{}", first.display());
        assert_eq!(made().await, None);
        clock.advance_seconds(9 * 60 * 60);
        assert_eq!(made().await, None, "it is 03:00");
        for _ in 0..14 {
            clock.advance_seconds(24 * 60 * 60);
            assert!(made().await.is_some());
        }
        let kept = list(&settings).unwrap();
        assert_eq!((kept.len(), kept[13].name.as_str()), (14, "scheduled_20260503_030000.db"));
    }
}
