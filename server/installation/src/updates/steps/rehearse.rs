//! Rehearsal of the new release on a copy of the local database, where it has to answer. On PostgreSQL, its
//! schema is applied in a transaction that is rolled back.

use std::net::SocketAddr;
use std::path::{Path, PathBuf};

use super::prepare::require_binary;
use crate::command::{OutputSink, Running, Task};
use crate::control::{ANNOUNCE_VARIABLE, Announcement};
use crate::journal::{self, RunDatabase};
use crate::updates::health;
use crate::updates::layout::in_release;
use crate::updates::recorder::Recorder;
use crate::updates::run::{Outcome, StepError, Update};
use platform::db::copy::{self, Depth};
use platform::log_field::logged;

const FOLDER: &str = "rehearsal";
const ANNOUNCEMENT: &str = "announcement";

pub(super) async fn rehearse(update: &mut Update) -> Result<Outcome, StepError> {
    require_binary(update)?;
    let database = match &update.plan().database {
        RunDatabase::Postgres => {
            let task = task(update, &["migrate", "--take-back"], update.release_folder()?)?;
            update.run_task(&task).await?;
            return Ok(Outcome::Done);
        }
        RunDatabase::Sqlite { path } => path.clone(),
    };
    let folder = folder(&update.settings.data_dir)?;
    let done = rehearse_on_copy(update, database, &folder).await;
    remove(&folder).map_err(StepError::because)?;
    done.map(|()| Outcome::Done)
}

async fn rehearse_on_copy(update: &mut Update, database: PathBuf, folder: &Path) -> Result<(), StepError> {
    remove(folder).map_err(StepError::because)?;
    std::fs::create_dir(folder).map_err(StepError::because)?;
    let copy = folder.join("farthing.db");
    let url = format!("sqlite://{}", copy.display());
    let copied = tokio::task::spawn_blocking(move || copy::copy(&database, &copy, Depth::Full)).await;
    copied.map_err(StepError::because)?.map_err(StepError::because)?;

    let migrate = task(update, &["migrate", "--database-url", &url], folder.to_owned())?;
    update.run_task(&migrate).await?;
    // The folder of the rehearsal is not a git checkout, so the rehearsed server has no release source.
    // To the store of the pictures that are served, the copy would be another installation.
    let serve =
        ["serve", "--listen", "127.0.0.1:0", "--database-url", &url, "--data-dir", ".", "--images", "images"];
    let serve = [&serve[..], &["--install-dir", "."]].concat();
    let fifo = folder.join(ANNOUNCEMENT);
    let announcement = Announcement::expect(&fifo).map_err(StepError::because)?;
    let serve = task(update, &serve, folder.to_owned())?;
    let serve = serve.environment([(ANNOUNCE_VARIABLE.into(), fifo.into_os_string())]);
    check_answer(update, &serve, announcement).await
}

/// Starts the new release beside the server and checks its version.
async fn check_answer(
    update: &mut Update,
    serve: &Task,
    mut announcement: Announcement,
) -> Result<(), StepError> {
    update.recorder.write_line(&format!("$ {}", serve.shown())).await;
    let limit = update.health_timeout();
    let wanted = update.found_release()?.tag.version().clone();
    let mut running = serve.start().map_err(StepError::because)?;
    let announced = announced_address(&mut announcement, &mut running, &mut update.recorder);
    let address = tokio::time::timeout(limit, announced).await.unwrap_or_else(|_| {
        let seconds = limit.as_secs();
        Err(StepError::Failed(format!("the new release did not listen within {seconds} s")))
    })?;
    // Later output is read, so that the process is never blocked, but not recorded.
    let mut output = std::mem::replace(&mut running.output, tokio::sync::mpsc::channel(1).1);
    let reader = tokio::spawn(async move { while output.recv().await.is_some() {} });
    let checked = health::check(&health::default_url(address), &wanted, limit).await;
    running.stop().await;
    reader.abort();
    checked.map_err(StepError::because)?;
    update.recorder.write_line(&format!("it answers as {wanted}")).await;
    Ok(())
}

/// Waits for the announcement and records the output meanwhile.
async fn announced_address(
    announcement: &mut Announcement,
    running: &mut Running,
    recorder: &mut Recorder,
) -> Result<SocketAddr, StepError> {
    let mut address = std::pin::pin!(announcement.address());
    loop {
        tokio::select! {
            address = &mut address => return address.map_err(StepError::because),
            piece = running.output.recv() => match piece {
                Some(piece) => recorder.write(&piece).await,
                None => return Err(StepError::Failed("the new release ended before it listened".to_owned())),
            },
        }
    }
}

fn task(update: &Update, arguments: &[&str], folder: PathBuf) -> Result<Task, StepError> {
    let binary = in_release(&update.release_folder()?);
    let mut command = vec![binary.to_string_lossy().into_owned()];
    command.extend(arguments.iter().map(ToString::to_string));
    update.task(&command, folder)
}

fn folder(data_dir: &Path) -> Result<PathBuf, StepError> {
    Ok(journal::folder(data_dir)?.join(FOLDER))
}

/// Removes what an interrupted rehearsal has left behind.
pub fn remove_rehearsal(data_dir: &Path) {
    let removed = folder(data_dir).map(|folder| remove(&folder));
    if let Ok(Err(error)) = removed {
        tracing::warn!(error = logged(&error), "can't remove the copy of the rehearsal");
    }
}

fn remove(folder: &Path) -> std::io::Result<()> {
    match std::fs::remove_dir_all(folder) {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(()),
        other => other,
    }
}
