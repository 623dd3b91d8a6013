//! `farthing backup` and `farthing restore`.

use std::path::Path;

use installation::backups::create::{self, BackupError};
use installation::backups::restore::{self, RestoreError};
use installation::config::Settings;
use platform::time::SystemClock;

#[expect(clippy::print_stdout, reason = "who asked for the copy wants to know where it is")]
pub async fn backup(settings: &Settings, path: Option<&Path>) -> Result<(), BackupError> {
    let made = create::backup(settings, path, &SystemClock).await?;
    println!("{}", made.display());
    Ok(())
}

#[expect(clippy::print_stdout, reason = "who asked for it wants to know that it is done")]
pub async fn restore(settings: &Settings, path: &Path) -> Result<(), RestoreError> {
    match restore::restore(settings, path, &SystemClock).await? {
        Some(kept) => println!("Restored. What was there before is kept as {}", kept.display()),
        None => println!("Restored."),
    }
    Ok(())
}
