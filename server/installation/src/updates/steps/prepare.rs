//! The preparation of the new release, in its own folder, while the site serves.

use std::os::unix::fs::PermissionsExt;

use crate::updates::layout::{BINARY, RELEASES};
use crate::updates::run::{Outcome, StepError, Update};
use platform::db::compare_with;

const MIGRATIONS_FOLDER: &str = "migrations";
/// In the folder of the releases.
const SHARED_TARGET: &str = "target";

pub(super) async fn fetch(update: &mut Update) -> Result<Outcome, StepError> {
    let (tag, folder) = (update.found_release()?.tag.clone(), update.release_folder()?);
    let timeout = update.step_timeout();
    let Some(checkout) = update.checkout.clone() else {
        return Err(StepError::Failed("no checkout is determined".to_owned()));
    };
    let signers = update.config.verify.allowed_signers.clone();
    let fetched = checkout.fetch(&tag, signers.as_deref(), &folder, timeout, &mut update.recorder).await;
    fetched.map_err(StepError::because)?;
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
    let binary = folder.join(BINARY);
    let copied = tokio::task::spawn_blocking(move || {
        if let Some(folder) = binary.parent() {
            std::fs::create_dir_all(folder)?;
        }
        std::fs::copy(shared.join("release/farthing"), binary)
    });
    copied.await.map_err(StepError::because)?.map_err(StepError::because)?;
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
