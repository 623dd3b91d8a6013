//! The way back to a backup. From a shell it is gone while no server runs. From the Deployment Admin's page it is asked
//! for in the server that runs, and gone by the next one before it opens the database: so nothing is written in
//! between, and what was there becomes a backup itself.

use std::path::{Path, PathBuf};
use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::Installation;
use crate::accounts::Accounts;
use crate::audit::{self, Act};
use crate::backups::create::{self, BackupError};
use crate::config::Settings;
use crate::ids::UserId;
use crate::supervisor::ControlError;
use crate::updates::journal::{self, JournalError, LockError, UpdateLock, forget, keep, kept};
use platform::db::copy::{self, CopyError};
use platform::db::{Database, DbError};
use platform::time::{Clock, Moment};

const ORDER: &str = "restore.json";
/// The next server begins within this time, or else nobody waits for it any more.
const ORDER_MILLIS: i64 = 60_000;
/// Until this server is told to stop.
const STOP_MAX: Duration = Duration::from_secs(10);
/// Until it then has closed connections on which the next request could come.
const CLOSING: Duration = Duration::from_millis(300);

/// Why nothing was restored.
#[derive(Debug, thiserror::Error)]
pub enum RestoreError {
    #[error(transparent)]
    Copy(#[from] CopyError),
    #[error(transparent)]
    Backups(#[from] BackupError),
    #[error("this backup is no longer there")]
    NoSuchBackup,
    #[error("{0}: wait until it has finished")]
    Update(#[from] LockError),
    #[error(transparent)]
    Journal(#[from] JournalError),
    #[error("an update was interrupted: start the server once, which finishes or reverts it")]
    Unfinished,
    #[error(transparent)]
    Db(#[from] DbError),
    #[error("can't start the server anew: {0}")]
    Restart(#[from] ControlError),
    #[error("the task that checked the backup is gone")]
    Gone,
}

/// What the next server does before it opens the database, and then what came of it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Order {
    /// Its name among the backups, or its path.
    backup: String,
    /// Nobody: the owner of the machine.
    asked_by: Option<Asker>,
    asked_at_millis: i64,
    /// The backup of what was there before, from the moment on in which it is about to be made.
    kept: Option<String>,
    outcome: Option<Outcome>,
}

/// Who asked may not be known to the database that is restored.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct Asker {
    id: UserId,
    name: String,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
enum Outcome {
    Restored,
    /// And why nothing was changed.
    Failed(String),
}

/// Puts the copy in `from` in the place of the database of `settings`, which no server may use, and says where what
/// was there is kept.
pub async fn restore(
    settings: &Settings,
    from: &Path,
    clock: &dyn Clock,
) -> Result<Option<PathBuf>, RestoreError> {
    let database = copy::file_of(&settings.database_url)?;
    let lock = take_turn(settings)?;
    let replaced = copy::restore(from, &database).await?;
    let order = Order {
        backup: from.display().to_string(),
        asked_by: None,
        asked_at_millis: clock.now().millis(),
        kept: None,
        outcome: Some(Outcome::Restored),
    };
    keep(&lock, &settings.data_dir, ORDER, &order)?;
    Ok(replaced)
}

/// Has the next server restore the backup of this name, and starts that in the place of this one. Returns when this
/// one takes nothing new any more. A backup that is not whole is refused before.
pub async fn ask(installation: &Installation, user: UserId, name: &str) -> Result<(), RestoreError> {
    let settings = &installation.settings;
    copy::file_of(&settings.database_url)?;
    let backups = create::list(settings)?;
    let chosen = backups.into_iter().find(|file| file.name == name).ok_or(RestoreError::NoSuchBackup)?;
    let user = installation.accounts.by_id(&mut installation.db.read().await?, user).await?;
    let path = create::folder(settings)?.join(&chosen.name);
    let checked = tokio::task::spawn_blocking(move || copy::check(&path)).await;
    checked.map_err(|_| RestoreError::Gone)??;
    let order = Order {
        backup: chosen.name,
        asked_by: user.map(|user| Asker { id: user.id, name: user.name }),
        asked_at_millis: installation.clock.now().millis(),
        kept: None,
        outcome: None,
    };
    let lock = take_turn(settings)?;
    keep(&lock, &settings.data_dir, ORDER, &order)?;
    if let Err(error) = installation.control.restart() {
        forget(&lock, &settings.data_dir, ORDER)?;
        return Err(error.into());
    }
    drop(lock);
    // An answer before that would lead back to this server.
    if tokio::time::timeout(STOP_MAX, installation.stopping.cancelled()).await.is_ok() {
        tokio::time::sleep(CLOSING).await;
    }
    Ok(())
}

/// Does what the last server was asked for. To be called before the database is opened.
pub async fn carry_out(settings: &Settings, clock: &dyn Clock) -> Result<(), RestoreError> {
    let Some(mut order) = kept::<Order>(&settings.data_dir, ORDER)? else { return Ok(()) };
    if order.outcome.is_some() {
        return Ok(());
    }
    let lock = UpdateLock::take(&settings.data_dir)?;
    let late = order.asked_at_millis + ORDER_MILLIS < clock.now().millis();
    order.outcome = Some(if late && order.kept.is_none() {
        Outcome::Failed("no server began in time".to_owned())
    } else {
        match put_back(&lock, settings, &mut order, clock).await {
            Ok(()) => Outcome::Restored,
            Err(error) => Outcome::Failed(error.to_string()),
        }
    });
    tracing::info!(backup = order.backup, outcome = ?order.outcome, "a restore was asked for");
    Ok(keep(&lock, &settings.data_dir, ORDER, &order)?)
}

/// Notes in the restored database what was done.
pub async fn note(
    settings: &Settings,
    db: &Database,
    accounts: &dyn Accounts,
    now: Moment,
) -> Result<(), RestoreError> {
    let Some(order) = kept::<Order>(&settings.data_dir, ORDER)? else { return Ok(()) };
    let Some(outcome) = order.outcome else { return Ok(()) };
    let lock = UpdateLock::take(&settings.data_dir)?;
    let mut told = order.backup;
    if let Some(kept) = order.kept {
        told.push_str(&format!("; what was there before is {kept}"));
    }
    let mut transaction = db.write_always().await?;
    let actor = match order.asked_by {
        None => None,
        Some(asker) => match accounts.by_id(&mut transaction, asker.id).await? {
            Some(user) => Some(user.id),
            None => {
                told.push_str(&format!("; asked for by {}, who had no account then", asker.name));
                None
            }
        },
    };
    let act = match outcome {
        Outcome::Restored => Act::Restored(told),
        Outcome::Failed(why) => Act::NotRestored(format!("{told}: {why}")),
    };
    audit::record(&mut transaction, now, actor, &act).await?;
    transaction.commit().await?;
    Ok(forget(&lock, &settings.data_dir, ORDER)?)
}

/// The right to change the database under everybody's feet. The way back of a run would overwrite what is restored.
fn take_turn(settings: &Settings) -> Result<UpdateLock, RestoreError> {
    let lock = UpdateLock::take(&settings.data_dir)?;
    refuse_amid_run(settings)?;
    Ok(lock)
}

fn refuse_amid_run(settings: &Settings) -> Result<(), RestoreError> {
    match journal::read(&settings.data_dir)? {
        Some(journal) if !journal.run.is_finished() => Err(RestoreError::Unfinished),
        _ => Ok(()),
    }
}

/// INVARIANT: what was there is a whole backup, known by its name, before anything is replaced; so this may be broken
/// off and done again at any point.
async fn put_back(
    lock: &UpdateLock,
    settings: &Settings,
    order: &mut Order,
    clock: &dyn Clock,
) -> Result<(), RestoreError> {
    refuse_amid_run(settings)?;
    let (database, folder) = (copy::file_of(&settings.database_url)?, create::folder(settings)?);
    let chosen = folder.join(&order.backup);
    copy::check(&chosen)?;
    let name = match order.kept.take() {
        Some(begun) => begun,
        None => create::free_name(settings, clock)?,
    };
    order.kept = Some(name.clone());
    keep(lock, &settings.data_dir, ORDER, order)?;
    let path = folder.join(name);
    if !path.exists() {
        copy::copy(&database, &path)?;
    }
    copy::restore(&chosen, &database).await?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use platform::time::SystemClock;

    /// Settings whose database holds a table of this name beside its own.
    async fn with_mark(folder: &Path, mark: &str) -> Settings {
        let settings = Settings {
            database_url: format!("sqlite://{}", folder.join("farthing.db").display()),
            data_dir: folder.join("data"),
            install_dir: folder.to_owned(),
            ..Settings::default()
        };
        Database::open(&settings.database_url).await.unwrap().close().await;
        let database = rusqlite::Connection::open(folder.join("farthing.db")).unwrap();
        database.execute_batch(&format!("CREATE TABLE {mark} (x)")).unwrap();
        settings
    }

    fn has_mark(database: &Path, mark: &str) -> bool {
        let sql = format!("SELECT count(*) FROM sqlite_schema WHERE name = '{mark}'");
        rusqlite::Connection::open(database).unwrap().query_one(&sql, [], |row| row.get(0)).unwrap()
    }

    fn place(settings: &Settings, order: &Order) {
        let lock = UpdateLock::take(&settings.data_dir).unwrap();
        keep(&lock, &settings.data_dir, ORDER, order).unwrap();
    }

    fn outcome(settings: &Settings) -> Option<Outcome> {
        kept::<Order>(&settings.data_dir, ORDER).unwrap().unwrap().outcome
    }

    fn asked(backup: &Path) -> Order {
        let backup = backup.file_name().unwrap().to_str().unwrap().to_owned();
        let asked_at_millis = SystemClock.now().millis();
        Order { backup, asked_by: None, asked_at_millis, kept: None, outcome: None }
    }

    /// What was there stays as it was at the first attempt.
    #[tokio::test]
    async fn a_restore_that_was_broken_off_is_done_again() {
        let folder = tempfile::tempdir().unwrap();
        let settings = with_mark(folder.path(), "old").await;
        let backup = create::backup(&settings, None, &SystemClock).await.unwrap();
        let settings = with_mark(folder.path(), "new").await;
        let database = folder.path().join("farthing.db");

        place(&settings, &asked(&backup));
        carry_out(&settings, &SystemClock).await.unwrap();
        assert_eq!(outcome(&settings), Some(Outcome::Restored));
        assert!(has_mark(&database, "old") && !has_mark(&database, "new"));
        // The power fails before it was written that it is done.
        let done: Order = kept(&settings.data_dir, ORDER).unwrap().unwrap();
        place(&settings, &Order { outcome: None, asked_at_millis: 0, ..done.clone() });
        carry_out(&settings, &SystemClock).await.unwrap();
        assert_eq!(outcome(&settings), Some(Outcome::Restored));
        let before = folder.path().join("backups").join(done.kept.unwrap());
        assert!(has_mark(&before, "new") && !has_mark(&database, "new"));
        assert_eq!(create::list(&settings).unwrap().len(), 2);
    }

    #[tokio::test]
    async fn nothing_is_restored_that_nobody_waits_for_or_beside_an_update() {
        let folder = tempfile::tempdir().unwrap();
        let settings = with_mark(folder.path(), "old").await;
        let backup = create::backup(&settings, None, &SystemClock).await.unwrap();
        let settings = with_mark(folder.path(), "new").await;
        place(&settings, &Order { asked_at_millis: 0, ..asked(&backup) });
        carry_out(&settings, &SystemClock).await.unwrap();
        assert!(matches!(outcome(&settings), Some(Outcome::Failed(why)) if why.contains("in time")));

        place(&settings, &asked(&backup));
        let update = UpdateLock::take(&settings.data_dir).unwrap();
        let done = carry_out(&settings, &SystemClock).await;
        assert!(matches!(done, Err(RestoreError::Update(LockError::Held))));
        drop(update);
        assert!(has_mark(&folder.path().join("farthing.db"), "new"));
    }
}
