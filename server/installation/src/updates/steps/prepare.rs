//! The slow work, while the site serves: the release is brought and built beside the one that runs.

use std::os::unix::fs::PermissionsExt;

use super::{BINARY, Outcome, StepError};
use crate::updates::run::Update;
use platform::db::compare_with;

const MIGRATIONS_FOLDER: &str = "migrations";

pub(super) async fn fetch(update: &mut Update) -> Result<Outcome, StepError> {
    let (tag, folder, limit) = (update.found()?.tag.clone(), update.release_folder()?, update.limit());
    let Some(checkout) = update.checkout.clone() else {
        return Err(StepError::Failed("no checkout is determined".to_owned()));
    };
    checkout.bring(&tag, &folder, limit, &mut update.recorder).await.map_err(StepError::because)?;
    Ok(Outcome::Done)
}

pub(super) async fn dependencies(update: &mut Update) -> Result<Outcome, StepError> {
    run(update, &["cargo", "fetch", "--locked"]).await
}

/// Of the data access layer the migrations derive from the schema: the release must have each that this one has, as
/// it is, since one that was released is never edited.
pub(super) async fn data_layer(update: &mut Update) -> Result<Outcome, StepError> {
    let folder = update.release_folder()?.join(MIGRATIONS_FOLDER);
    if !folder.is_dir() {
        return Ok(Outcome::Skipped(format!("the release has no folder `{MIGRATIONS_FOLDER}`")));
    }
    let new = compare_with(&folder).await.map_err(StepError::because)?;
    update.recorder.say(&format!("every migration of this release is there, and {new} more")).await;
    Ok(Outcome::Done)
}

pub(super) async fn build(update: &mut Update) -> Result<Outcome, StepError> {
    run(update, &["cargo", "xtask", "build"]).await?;
    is_built(update)?;
    Ok(Outcome::Done)
}

/// Whether the release has its binary.
pub(super) fn is_built(update: &Update) -> Result<(), StepError> {
    let path = update.release_folder()?.join(BINARY);
    let data = std::fs::metadata(&path);
    if data.is_ok_and(|data| data.is_file() && data.permissions().mode() & 0o111 != 0) {
        return Ok(());
    }
    Err(StepError::Failed(format!("there is no program `{}`", path.display())))
}

async fn run(update: &mut Update, command: &[&str]) -> Result<Outcome, StepError> {
    let command: Vec<String> = command.iter().map(ToString::to_string).collect();
    let task = update.task(&command, update.release_folder()?)?;
    update.run_task(&task).await?;
    Ok(Outcome::Done)
}
