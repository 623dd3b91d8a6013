//! `farthing backup`, `farthing restore` and `farthing verify`.

use std::path::Path;

use installation::backups::create::{self, BackupError};
use installation::backups::restore::{self, RestoreError, Verified};
use installation::config::Settings;
use installation::needed_images::NeededImagesOf;
use platform::db::copy;
use platform::time::SystemClock;

use crate::pictures::needed_images;

#[expect(clippy::print_stdout, reason = "the command reports where the copy is")]
pub async fn backup(settings: &Settings, path: Option<&Path>) -> Result<(), BackupError> {
    let made = create::backup_from_shell(settings, path, &SystemClock).await?;
    println!("{}", made.display());
    Ok(())
}

#[expect(clippy::print_stdout, reason = "the command reports its result")]
pub async fn restore(
    settings: &Settings,
    path: &Path,
    without_missing_pictures: bool,
) -> Result<(), RestoreError> {
    let needed = (!without_missing_pictures).then_some(needed_images as NeededImagesOf);
    let replaced = restore::restore(settings, path, &SystemClock, needed).await?;
    println!("Restored to {}", copy::file_of(&settings.database_url)?.display());
    if let Some(kept) = replaced {
        println!("The replaced database is kept as {}", kept.display());
    }
    Ok(())
}

#[expect(clippy::print_stdout, reason = "the command reports its result")]
pub async fn verify(path: &Path) -> Result<(), RestoreError> {
    match restore::verify(path, needed_images).await? {
        Verified::Copy { files } => println!("ok: the database, and {files} files of pictures"),
        Verified::Dump => println!("ok: the dump of PostgreSQL; its pictures are not compared"),
    }
    Ok(())
}
