//! Backups at the times of `--backup-schedule`. A time that passed while no server ran is made up for at the
//! next start.

use std::fs::Metadata;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use super::create::{BackupError, backup_by_schedule};
use super::dump;
use super::folder::{BackupKind, folder, list};
use crate::Installation;
use crate::config::{Schedule, Settings};
use platform::log_field::logged;
use platform::time::{Clock, Moment};

/// The maximum delay of a backup after the clock of the machine was set, or the machine slept.
const LOOK_EVERY: Duration = Duration::from_secs(10 * 60);
/// The file with the failure of the last scheduled backup, in the folder of the backups.
const FAILURE: &str = "scheduled.failed";

/// What went wrong with the last scheduled backup.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Failure {
    pub at: Moment,
    pub words: String,
}

/// Whether this machine can make backups of the database.
pub fn is_possible(settings: &Settings) -> bool {
    settings.database_url.starts_with("sqlite:") || dump::is_installed()
}

/// Makes the backups that are due, until the server stops, and passes each to `after`, which says what goes
/// wrong.
pub async fn run<After: Future<Output = Result<(), String>> + Send>(
    installation: Arc<Installation>,
    after: impl Fn(Arc<Installation>, PathBuf) -> After + Send,
) {
    let settings = &installation.settings;
    let Some(schedule) = settings.backup_schedule else { return };
    // `tolerated` says so.
    if !is_possible(settings) {
        return;
    }
    let clock = installation.clock.as_ref();
    let work = async {
        loop {
            match back_up_if_due(settings, schedule, clock).await {
                Ok(Some(made)) => {
                    tracing::info!(path = %made.display(), "made the backup of the schedule");
                    let done = after(Arc::clone(&installation), made).await;
                    if let Err(words) = &done {
                        tracing::error!(words, "the backup is made, but what follows it failed");
                    }
                    remember(settings, done.err());
                }
                Ok(None) => {}
                Err(error) => {
                    let words = logged(&error);
                    tracing::error!(
                        error = words,
                        "can't make the backup of the schedule, trying again in ten minutes"
                    );
                    remember(settings, Some(format!("No backup was made: {error}")));
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

/// What went wrong with the last scheduled backup, if anything.
pub fn last_failure(settings: &Settings) -> Option<Failure> {
    let path = failure_path(settings)?;
    let words = std::fs::read_to_string(&path).ok()?;
    let modified = |data: Metadata| data.modified().ok()?.duration_since(std::time::UNIX_EPOCH).ok();
    let since = std::fs::metadata(&path).ok().and_then(modified)?;
    let at = Moment::from_millis(i64::try_from(since.as_millis()).ok()?)?;
    Some(Failure { at, words })
}

/// Keeps the failure for the page of the administration, or forgets an earlier one.
fn remember(settings: &Settings, failure: Option<String>) {
    let Some(path) = failure_path(settings) else { return };
    // The log has the failure, too.
    let _ = match failure {
        Some(words) => std::fs::write(path, words),
        None => std::fs::remove_file(path),
    };
}

fn failure_path(settings: &Settings) -> Option<PathBuf> {
    Some(folder(settings).ok()?.join(FAILURE))
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

    #[tokio::test]
    async fn a_failure_is_remembered_until_the_next_success() {
        let folder = tempfile::tempdir().unwrap();
        let settings = Settings { data_dir: folder.path().to_owned(), ..Settings::default() };
        remember(&settings, Some("without a folder nothing is kept".to_owned()));
        assert_eq!(last_failure(&settings), None);
        std::fs::create_dir(folder.path().join("backups")).unwrap();
        remember(&settings, Some("no room".to_owned()));
        assert_eq!(last_failure(&settings).unwrap().words, "no room");
        assert_eq!(list(&settings).unwrap(), [], "it is no backup");
        remember(&settings, None);
        assert_eq!(last_failure(&settings), None);
    }
}
