//! `farthing backup` and `farthing restore`.

use std::path::Path;

use installation::backups::create::{self, BackupError};
use installation::backups::restore::{self, RestoreError};
use installation::config::Settings;
use platform::time::SystemClock;

#[expect(clippy::print_stdout, reason = "the command reports where the copy is")]
pub async fn backup(settings: &Settings, path: Option<&Path>) -> Result<(), BackupError> {
    let made = create::backup_from_shell(settings, path, &SystemClock).await?;
    println!("{}", made.display());
    Ok(())
}

#[expect(clippy::print_stdout, reason = "the command reports its result")]
pub async fn restore(settings: &Settings, path: &Path) -> Result<(), RestoreError> {
    match restore::restore(settings, path, &SystemClock).await? {
        Some(kept) => println!("Restored. The replaced database is kept as {}", kept.display()),
        None => println!("Restored."),
    }
    Ok(())
}
