//! Tries the new release where nothing can be lost: on a copy of the local database, and there it must answer. On
//! PostgreSQL its schema is applied in a transaction that is taken back.

use std::path::{Path, PathBuf};
use std::time::Duration;

use super::{BINARY, Outcome, StepError};
use crate::updates::command::{Listener, Task};
use crate::updates::health;
use crate::updates::journal::{self, RunDatabase};
use crate::updates::run::Update;
use platform::db::copy;

const FOLDER: &str = "rehearsal";
const LISTENS: &str = "listening on http://";

pub(super) async fn rehearse(update: &mut Update) -> Result<Outcome, StepError> {
    super::prepare::is_built(update)?;
    let path = match &update.recorder.journal.way.database {
        RunDatabase::Postgres => {
            let task = task(update, &["migrate", "--take-back"], update.release_folder()?)?;
            update.run_task(&task).await?;
            return Ok(Outcome::Done);
        }
        RunDatabase::Sqlite { path } => path.clone(),
    };
    let folder = folder(&update.settings.data_dir)?;
    let done = on_copy(update, path, &folder).await;
    remove(&folder).map_err(StepError::because)?;
    done.map(|()| Outcome::Done)
}

async fn on_copy(update: &mut Update, database: PathBuf, folder: &Path) -> Result<(), StepError> {
    remove(folder).map_err(StepError::because)?;
    std::fs::create_dir(folder).map_err(StepError::because)?;
    let copy = folder.join("farthing.db");
    let address = format!("sqlite://{}", copy.display());
    let copied = tokio::task::spawn_blocking(move || copy::copy(&database, &copy)).await;
    copied.map_err(StepError::because)?.map_err(StepError::because)?;

    let migrate = task(update, &["migrate", "--database-url", &address], folder.to_owned())?;
    update.run_task(&migrate).await?;
    // Its folders are those of the rehearsal, without a checkout: so it asks nobody for a newer release.
    let serve = [
        "serve",
        "--listen",
        "127.0.0.1:0",
        "--database-url",
        &address,
        "--data-dir",
        ".",
        "--install-dir",
        ".",
    ];
    let serve = task(update, &serve, folder.to_owned())?;
    answers(update, &serve).await
}

/// Starts the new release beside the one that serves, and asks it for its version.
async fn answers(update: &mut Update, serve: &Task) -> Result<(), StepError> {
    update.recorder.say(&format!("$ {}", serve.shown())).await;
    let limit = Duration::from_secs(update.recorder.journal.way.health_timeout_seconds);
    let wanted = update.found()?.tag.version().clone();
    let mut running = serve.start().map_err(StepError::because)?;
    let recorder = &mut update.recorder;
    let told = async {
        let mut said = String::new();
        while let Some(piece) = running.output.recv().await {
            recorder.hear(&piece).await;
            said.push_str(&String::from_utf8_lossy(&piece));
            if let Some(address) = address_in(&said) {
                return Some(address);
            }
        }
        None
    };
    let address = match tokio::time::timeout(limit, told).await {
        Err(_) => {
            return Err(StepError::Failed(format!(
                "the new release did not listen within {} s",
                limit.as_secs()
            )));
        }
        Ok(None) => return Err(StepError::Failed("the new release ended before it listened".to_owned())),
        Ok(Some(address)) => address,
    };
    // What it says from here on is read, so that it never waits for a reader, and not kept.
    let mut output = std::mem::replace(&mut running.output, tokio::sync::mpsc::channel(1).1);
    let reader = tokio::spawn(async move { while output.recv().await.is_some() {} });
    let checked = health::check(&format!("http://{address}/api/version"), &wanted, limit).await;
    running.stop().await;
    reader.abort();
    checked.map_err(StepError::because)?;
    update.recorder.say(&format!("it answers as {wanted}")).await;
    Ok(())
}

/// The address in a whole line of the log.
fn address_in(said: &str) -> Option<String> {
    let (_, rest) = said.split_once(LISTENS)?;
    let (line, _) = rest.split_once('\n')?;
    let end =
        line.find(|char: char| !char.is_ascii_digit() && !".:[]abcdef".contains(char)).unwrap_or(line.len());
    Some(line[..end].to_owned())
}

fn task(update: &Update, arguments: &[&str], folder: PathBuf) -> Result<Task, StepError> {
    let binary = update.release_folder()?.join(BINARY);
    let mut command = vec![binary.to_string_lossy().into_owned()];
    command.extend(arguments.iter().map(ToString::to_string));
    update.task(&command, folder)
}

fn folder(data_dir: &Path) -> Result<PathBuf, StepError> {
    Ok(journal::folder(data_dir)?.join(FOLDER))
}

/// What a rehearsal has left behind goes, with the copy in it.
pub fn clear(data_dir: &Path) {
    let removed = folder(data_dir).map(|folder| remove(&folder));
    if let Ok(Err(error)) = removed {
        tracing::warn!(error = &error as &dyn std::error::Error, "the copy of the rehearsal stays");
    }
}

fn remove(folder: &Path) -> std::io::Result<()> {
    match std::fs::remove_dir_all(folder) {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(()),
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::address_in;

    #[test]
    fn the_address_is_read_from_a_whole_line() {
        assert_eq!(address_in("x listening on http://127.0.0.1:3"), None);
        let told = address_in("INFO: listening on http://127.0.0.1:34567\n");
        assert_eq!(told.as_deref(), Some("127.0.0.1:34567"));
        let told = address_in("{\"message\":\"listening on http://[::1]:80\"}\n");
        assert_eq!(told.as_deref(), Some("[::1]:80"));
    }
}
