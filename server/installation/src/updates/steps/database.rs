//! The steps during which writes are paused: the backup and the schema.

use std::time::Duration;

use super::RUN_VARIABLE;
use crate::backups::create;
use crate::journal::RunDatabase;
use crate::updates::layout::in_release;
use crate::updates::run::{Outcome, StepError, Update};
use platform::db::{DbError, lease};

/// The time between the announcement of the pause and the pause.
const NOTICE: Duration = Duration::from_secs(2);
/// How often to try to close writes: each attempt waits for running transactions.
const TRIES_MAX: u32 = 3;

/// Closes writes and backs up the local database.
pub(super) async fn backup(update: &mut Update) -> Result<Outcome, StepError> {
    if update.recorder.journal.rollback.database != RunDatabase::Postgres {
        create::prepare_backup_in_update(&update.settings).await.map_err(StepError::because)?;
    }
    update.recorder.write_line(&format!("writes pause in {} s", NOTICE.as_secs())).await;
    update.recorder.save().await?;
    tokio::time::sleep(NOTICE).await;
    close(update).await.map_err(StepError::because)?;
    update.recorder.write_line("writes pause").await;
    if update.recorder.journal.rollback.database == RunDatabase::Postgres {
        return Ok(Outcome::Skipped("a remote database is not backed up by the update".to_owned()));
    }
    let made = create::backup_in_update(&update.settings, update.recorder.clock()).await;
    let made = made.map_err(StepError::because)?;
    update.recorder.write_line(&made.display().to_string()).await;
    update.recorder.journal.rollback.backup = Some(made);
    Ok(Outcome::Done)
}

async fn close(update: &Update) -> Result<(), DbError> {
    let run = update.run().id.to_string();
    let mut tries = 1;
    loop {
        let closed = async {
            let mut transaction = update.db.write_always().await?;
            let is_ours = lease::close_writes(&mut transaction, &run).await?;
            transaction.commit().await.map(|()| is_ours)
        };
        match closed.await {
            Ok(true) => return Ok(()),
            Ok(false) => return Err(DbError::Overtaken),
            Err(error) if error.is_busy() && tries < TRIES_MAX => tries += 1,
            Err(error) => return Err(error),
        }
    }
}

/// The new release applies its schema, while this one serves reads.
pub(super) async fn schema(update: &mut Update) -> Result<Outcome, StepError> {
    let folder = update.release_folder()?;
    let command = [in_release(&folder).to_string_lossy().into_owned(), "migrate".to_owned()];
    let run = update.run().id.to_string();
    let task = update.task(&command, folder)?.environment([(RUN_VARIABLE.into(), run.into())]);
    update.run_task(&task).await?;
    Ok(Outcome::Done)
}
