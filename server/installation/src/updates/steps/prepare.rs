//! The preparation of the new release, in its own folder, while the site serves.

use std::os::unix::fs::PermissionsExt;

use crate::updates::layout::BINARY;
use crate::updates::run::{Outcome, StepError, Update};
use platform::db::compare_with;

const MIGRATIONS_FOLDER: &str = "migrations";

pub(super) async fn fetch(update: &mut Update) -> Result<Outcome, StepError> {
    let (tag, folder) = (update.found_release()?.tag.clone(), update.release_folder()?);
    let timeout = update.step_timeout();
    let Some(checkout) = update.checkout.clone() else {
        return Err(StepError::Failed("no checkout is determined".to_owned()));
    };
    checkout.fetch(&tag, &folder, timeout, &mut update.recorder).await.map_err(StepError::because)?;
    Ok(Outcome::Done)
}

pub(super) async fn dependencies(update: &mut Update) -> Result<Outcome, StepError> {
    run(update, &["cargo", "fetch", "--locked"]).await
}

/// Checks the migrations of the release: it must have each migration of this one, unchanged, because released
/// migrations never change.
pub(super) async fn data_layer(update: &mut Update) -> Result<Outcome, StepError> {
    let folder = update.release_folder()?.join(MIGRATIONS_FOLDER);
    if !folder.is_dir() {
        return Ok(Outcome::Skipped(format!("the release has no folder `{MIGRATIONS_FOLDER}`")));
    }
    let new = compare_with(&folder).await.map_err(StepError::because)?;
    update.recorder.write_line(&format!("the release has every migration of this one, and {new} more")).await;
    Ok(Outcome::Done)
}

pub(super) async fn build(update: &mut Update) -> Result<Outcome, StepError> {
    run(update, &["cargo", "xtask", "build"]).await?;
    require_binary(update)?;
    Ok(Outcome::Done)
}

/// Fails unless the release has an executable binary.
pub(super) fn require_binary(update: &Update) -> Result<(), StepError> {
    let path = update.release_folder()?.join(BINARY);
    let data = std::fs::metadata(&path);
    if data.is_ok_and(|data| data.is_file() && data.permissions().mode() & 0o111 != 0) {
        return Ok(());
    }
    Err(StepError::Failed(format!("there is no executable `{}`", path.display())))
}

async fn run(update: &mut Update, command: &[&str]) -> Result<Outcome, StepError> {
    let command: Vec<String> = command.iter().map(ToString::to_string).collect();
    let task = update.build_task(&command, update.release_folder()?)?;
    update.run_task(&task).await?;
    Ok(Outcome::Done)
}
