//! `farthing copy`

use std::time::{Duration, Instant};

use installation::config::Settings;
use installation::shell::Shell;
use installation::transfer::{CopyToError, copy_to};
use platform::db::transfer::Progress;
use platform::db::without_password;

/// The time between two lines about one table.
const TELL_INTERVAL: Duration = Duration::from_secs(2);

/// Why nothing was copied.
#[derive(Debug, thiserror::Error)]
pub enum CopyCommandError {
    #[error("a server uses this database: stop it first, or bids would be lost that it accepts meanwhile")]
    Served,
    #[error(transparent)]
    Copy(#[from] CopyToError),
}

/// Copies the database, and tells on standard error how far it is.
#[expect(clippy::print_stdout, reason = "the command reports its result")]
pub async fn copy(Shell { settings, server }: Shell, to: &str) -> Result<(), CopyCommandError> {
    if server.is_some() {
        return Err(CopyCommandError::Served);
    }
    let mut told = Instant::now();
    let copied = copy_to(&settings, to, |progress| tell(progress, &mut told)).await?;
    let Settings { database_url, .. } = &settings;
    println!(
        "Copied and compared {} rows of {} tables from {} to {}.",
        copied.rows,
        copied.tables,
        without_password(database_url),
        without_password(to)
    );
    println!("The pictures stay where they are: {}.", settings.images_location());
    println!("Set --database-url to the new address, keep all other settings, and start the server.");
    Ok(())
}

#[expect(clippy::print_stderr, reason = "the command reports its progress")]
fn tell(Progress { table, copied, of }: Progress<'_>, told: &mut Instant) {
    if copied == of || told.elapsed() >= TELL_INTERVAL {
        *told = Instant::now();
        eprintln!("{table}: {copied} of {of} rows");
    }
}
