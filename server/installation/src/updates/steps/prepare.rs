//! The preparation of the new release, in its own folder, while the site serves.

use crate::updates::layout::{BUILT, RELEASES, has_binary, in_release, link_built};
use crate::updates::run::{Origin, Outcome, StepError, Update};
use platform::db::compare_with;

const MIGRATIONS_FOLDER: &str = "migrations";
/// In the folder of the releases.
const SHARED_TARGET: &str = "target";

pub(super) async fn fetch(update: &mut Update) -> Result<Outcome, StepError> {
    let (tag, folder) = (update.found_release()?.tag.clone(), update.release_folder()?);
    let limit = update.step_timeout();
    match update.origin.clone() {
        None => return Err(StepError::Failed("no origin is determined".to_owned())),
        Some(Origin::Git { checkout, signers }) => {
            let sink = &mut update.recorder;
            let fetched = checkout.fetch(&tag, signers.as_deref(), &folder, limit, sink).await;
            fetched.map_err(StepError::because)?;
        }
        Some(Origin::Archive { files, keys }) => {
            let fetched = files.fetch(&keys, &folder, limit, &mut update.recorder).await;
            fetched.map_err(StepError::because)?;
        }
    }
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

/// Builds in a folder that all releases share, so that each dependency is compiled and stored once.
pub(super) async fn build(update: &mut Update) -> Result<Outcome, StepError> {
    let shared = update.settings.install_dir.join(RELEASES).join(SHARED_TARGET);
    let folder = update.release_folder()?;
    let command = ["cargo", "xtask", "build"].map(str::to_owned);
    let task = update.task(&command, folder.clone())?;
    update.run_task(&task.environment([("CARGO_TARGET_DIR".into(), shared.clone().into())])).await?;
    let binary = folder.join(BUILT);
    let copied = tokio::task::spawn_blocking(move || {
        if let Some(folder) = binary.parent() {
            std::fs::create_dir_all(folder)?;
        }
        std::fs::copy(shared.join("release/farthing"), binary)
    });
    copied.await.map_err(StepError::because)?.map_err(StepError::because)?;
    finish_build(update)?;
    Ok(Outcome::Done)
}

/// Completes a build: fails unless it has made a binary.
pub(super) fn finish_build(update: &Update) -> Result<(), StepError> {
    require_binary(update)?;
    link_built(&update.release_folder()?).map_err(StepError::because)
}

/// Fails unless the release has an executable binary.
pub(super) fn require_binary(update: &Update) -> Result<(), StepError> {
    let folder = update.release_folder()?;
    if has_binary(&folder) {
        return Ok(());
    }
    Err(StepError::Failed(format!("there is no executable `{}`", in_release(&folder).display())))
}

async fn run(update: &mut Update, command: &[&str]) -> Result<Outcome, StepError> {
    let command: Vec<String> = command.iter().map(ToString::to_string).collect();
    let task = update.build_task(&command, update.release_folder()?)?;
    update.run_task(&task).await?;
    Ok(Outcome::Done)
}
