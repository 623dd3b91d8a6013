//! `farthing backup` and `farthing restore`.

use std::path::Path;

use crate::clock::SystemClock;
use crate::config::Settings;
use crate::updates::backup::{self, BackupError};
use crate::updates::restoration::{self, RestoreError};

#[expect(clippy::print_stdout, reason = "who asked for the copy wants to know where it is")]
pub async fn backup(settings: &Settings, path: Option<&Path>) -> Result<(), BackupError> {
    let made = backup::backup(settings, path, &SystemClock).await?;
    println!("{}", made.display());
    Ok(())
}

#[expect(clippy::print_stdout, reason = "who asked for it wants to know that it is done")]
pub async fn restore(settings: &Settings, path: &Path) -> Result<(), RestoreError> {
    match restoration::restore(settings, path, &SystemClock).await? {
        Some(kept) => println!("Restored. What was there before is kept as {}", kept.display()),
        None => println!("Restored."),
    }
    Ok(())
}
