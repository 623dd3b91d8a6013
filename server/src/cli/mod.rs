//! The `farthing` command.

mod admin;
mod backup;
mod copy;
mod current;
mod health;
#[cfg(test)]
mod manual;
mod serve;
mod update;
mod user;

use std::ffi::OsString;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;

use clap::{Parser, Subcommand};

use admin::AdminCommandError;
use health::HealthCommandError;
use installation::backups::create::BackupError;
use installation::backups::restore::RestoreError;
use installation::command::guard::guard;
use installation::config::{FileError, Given, Settings, unknown_variables};
use installation::control::{ANNOUNCE_VARIABLE, MeetError, Supervisor};
use installation::shell::{OtherOwner, Shell, ShellError, require_owner};
use installation::supervisor::{self, SuperviseError, supervise};
use installation::updates::{RollbackError, RunTarget, roll_back_unfinished};
use platform::db::{Database, OpenError};
use platform::log_field::logged;
use platform::logging::start_logging;
use platform::time::SystemClock;
use rustix::fs::Mode;
use serve::ServeError;
use update::UpdateError;

/// Self-hosted auctions in any currency.
///
/// Settings are flags, environment variables, or keys of farthing.toml in the working directory. Flags
/// override variables, which override the file.
#[derive(Parser)]
#[command(name = "farthing", version)]
struct Command {
    #[command(subcommand)]
    what: Option<What>,
    #[command(flatten)]
    given: Given,
    /// Process id of the supervisor that has started this server
    #[arg(long, global = true, hide = true)]
    supervised_by: Option<u32>,
    /// This server is of a new release and reports whether it is healthy
    #[arg(long, global = true, hide = true)]
    on_probation: bool,
    /// Rolls back the unfinished update, for this reason, instead of serving
    #[arg(long, global = true, hide = true)]
    revert_update: Option<String>,
    /// Checks the settings as `farthing check` does, instead of what the rest of the command line says
    #[arg(long, global = true, hide = true)]
    check_settings: bool,
    /// File or FIFO to which the address is written once the server listens
    #[arg(long, global = true, hide = true, env = ANNOUNCE_VARIABLE)]
    announce_to: Option<PathBuf>,
}

#[derive(Subcommand)]
enum What {
    /// Brings the schema up to date, then serves (what `farthing` alone does)
    Serve {
        /// First fills an empty database with demo data and prints the sign-ins
        #[arg(long)]
        demo: bool,
    },
    /// Brings the schema of the database up to date
    Migrate {
        /// Dry run, in a transaction that is rolled back
        #[arg(long, hide = true)]
        take_back: bool,
        /// Run of the update that has closed writes for this migration beside the server
        #[arg(long, hide = true, env = "FARTHING_UPDATE_RUN")]
        update_run: Option<String>,
    },
    /// Updates the installation to the latest release, as the Deployment Admin's page does
    Update,
    /// Returns to the release before the current one, as the Deployment Admin's page does
    Rollback,
    /// Copies the SQLite database while it is in use, by default to backups/ of the installation
    Backup {
        /// The new file; an existing file is not overwritten
        path: Option<PathBuf>,
    },
    /// Checks a copy with its pictures and puts it in the place of the SQLite database, while no server runs,
    /// also where there is no database yet
    Restore {
        path: PathBuf,
        /// Restores the copy even if pictures are missing or damaged
        #[arg(long)]
        without_missing_pictures: bool,
    },
    /// Checks a copy and its pictures in full, and changes nothing
    Verify { path: PathBuf },
    /// Copies everything in the database to another, empty one, of either kind, while no server runs
    Copy {
        /// sqlite://PATH or postgres://USER@HOST/NAME; the password may be in the variable PGPASSWORD
        #[arg(long)]
        to: String,
    },
    /// Reads the settings as `serve` would, reports every error, and changes nothing
    Check,
    /// Asks the running server whether it answers, and changes nothing
    Health,
    /// Shows or sets the Deployment Admin, also while the server runs: for example after the account was lost
    #[command(subcommand)]
    Admin(admin::AdminCommand),
    /// Manages accounts, also while the server runs: for example after a password was lost
    #[command(subcommand)]
    User(user::UserCommand),
    /// Runs a command of an update and kills it when the update's process ends
    #[command(hide = true)]
    Guard {
        #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
        command: Vec<OsString>,
    },
    /// Prints the OpenAPI document
    Openapi,
}

/// Why the command failed, in one line.
#[derive(Debug, thiserror::Error)]
enum CliError {
    #[error(transparent)]
    Settings(#[from] FileError),
    #[error(transparent)]
    Shell(#[from] ShellError),
    #[error(transparent)]
    Owner(#[from] OtherOwner),
    #[error(transparent)]
    Open(#[from] OpenError),
    #[error(transparent)]
    Supervise(#[from] SuperviseError),
    #[error(transparent)]
    Meet(#[from] MeetError),
    #[error(transparent)]
    Serve(#[from] ServeError),
    #[error(transparent)]
    Health(#[from] HealthCommandError),
    #[error(transparent)]
    Admin(#[from] AdminCommandError),
    #[error(transparent)]
    User(#[from] user::UserError),
    #[error(transparent)]
    Backup(#[from] BackupError),
    #[error(transparent)]
    Restore(#[from] RestoreError),
    #[error(transparent)]
    Copy(#[from] copy::CopyCommandError),
    #[error(transparent)]
    Update(#[from] UpdateError),
    #[error(transparent)]
    Rollback(#[from] RollbackError),
    #[error("`{program}` can't be run: {cause}")]
    Guard { program: String, cause: std::io::Error },
    #[error("can't start: {0}")]
    Runtime(std::io::Error),
    #[error("can't write: {0}")]
    Write(std::io::Error),
}

/// Runs the command line of this process. What it and its child processes create is private to the user.
pub fn main() -> ExitCode {
    rustix::process::umask(Mode::RWXG | Mode::RWXO);
    current::run_current_release();
    match run(Command::parse()) {
        Ok(code) => code,
        Err(error) => {
            print_error(&error);
            ExitCode::FAILURE
        }
    }
}

#[expect(clippy::print_stderr, reason = "the command reports its error")]
fn print_error(error: &dyn std::error::Error) {
    eprintln!("farthing: {error}");
}

/// Reports each error of the settings in one line.
#[expect(clippy::print_stdout, clippy::print_stderr, reason = "the command reports its result")]
fn check(given: Given) -> ExitCode {
    for name in unknown_variables() {
        eprintln!("farthing: warning: the variable `{name}` is not a setting");
    }
    let errors = installation::check::check(given);
    errors.iter().for_each(|error| print_error(error));
    if !errors.is_empty() {
        return ExitCode::FAILURE;
    }
    println!("ok");
    ExitCode::SUCCESS
}

fn run(command: Command) -> Result<ExitCode, CliError> {
    let given = command.given;
    if command.check_settings {
        return Ok(check(given));
    }
    match command.what.unwrap_or(What::Serve { demo: false }) {
        What::Guard { command } => return run_guarded(&command),
        What::Check => return Ok(check(given)),
        What::Openapi => print_document()?,
        What::Migrate { take_back: true, .. } => {
            in_runtime(async { Ok(Database::try_migrate(&Settings::complete(given)?.database_url).await?) })?
        }
        What::Migrate { update_run: Some(run), .. } => in_runtime(async {
            Ok(Database::migrate_in_update(&Settings::complete(given)?.database_url, &run).await?)
        })?,
        What::Migrate { .. } => in_runtime(async {
            let settings = Settings::complete(given)?;
            require_owner(&settings)?;
            Database::open(&settings.database_url).await?.close().await;
            Ok(())
        })?,
        What::Update => {
            in_runtime(async { Ok(update::update(Shell::enter(given).await?, RunTarget::Latest).await?) })?
        }
        What::Rollback => {
            in_runtime(async { Ok(update::update(Shell::enter(given).await?, RunTarget::Previous).await?) })?
        }
        What::Backup { path } => in_runtime(async {
            Ok(backup::backup(&Shell::enter(given).await?.settings, path.as_deref()).await?)
        })?,
        What::Restore { path, without_missing_pictures } => in_runtime(async {
            let settings = Shell::enter(given).await?.settings;
            Ok(backup::restore(&settings, &path, without_missing_pictures).await?)
        })?,
        What::Copy { to } => in_runtime(async { Ok(copy::copy(Shell::enter(given).await?, &to).await?) })?,
        What::Verify { path } => in_runtime(async { Ok(backup::verify(&path).await?) })?,
        What::Health => in_runtime(async { Ok(health::health(&Settings::complete(given)?).await?) })?,
        What::Admin(command) => {
            in_runtime(async { Ok(admin::admin(command, &Shell::enter(given).await?.settings).await?) })?;
        }
        What::User(command) => {
            in_runtime(async { Ok(user::user(command, &Shell::enter(given).await?.settings).await?) })?;
        }
        What::Serve { demo } => {
            let settings = Settings::complete(given)?;
            start_logging(settings.log_format);
            let Some(parent) = command.supervised_by else {
                if let Err(other) = require_owner(&settings) {
                    tracing::warn!(error = logged(&other), "serves as another user");
                }
                let args = std::env::args_os().skip(1).collect();
                let code =
                    on_this_thread(async { Ok(supervise(settings, args, command.announce_to).await?) })?;
                return Ok(ExitCode::from(code));
            };
            let supervisor = Supervisor::meet(parent)?;
            match command.revert_update {
                Some(reason) => in_runtime(async {
                    roll_back_unfinished(&settings, Arc::new(SystemClock), &reason).await?;
                    Ok(())
                })?,
                None => in_runtime(async {
                    let control = supervisor.control();
                    let served = serve::serve(settings, demo, supervisor, command.on_probation).await;
                    if let Err(error) = &served {
                        // The reason why a new version is rolled back. Without probation the supervisor
                        // ignores it.
                        let _ = control.refuse(&error.to_string());
                    }
                    Ok(served?)
                })?,
            }
        }
    }
    Ok(ExitCode::SUCCESS)
}

/// The exit code is that of the command, as in a shell.
fn run_guarded(command: &[OsString]) -> Result<ExitCode, CliError> {
    let program = command.first().map(|program| program.to_string_lossy().into_owned()).unwrap_or_default();
    let status = guard(command).map_err(|cause| CliError::Guard { program, cause })?;
    Ok(ExitCode::from(supervisor::exit_code(status, false)))
}

fn on_this_thread<T>(work: impl Future<Output = Result<T, CliError>>) -> Result<T, CliError> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    runtime.map_err(CliError::Runtime)?.block_on(work)
}

fn in_runtime(work: impl Future<Output = Result<(), CliError>>) -> Result<(), CliError> {
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build();
    runtime.map_err(CliError::Runtime)?.block_on(work)
}

fn print_document() -> Result<(), CliError> {
    let mut out = std::io::stdout().lock();
    let write = |out: &mut std::io::StdoutLock<'_>| {
        serde_json::to_writer_pretty(&mut *out, &crate::router::document()).map_err(std::io::Error::from)?;
        std::io::Write::write_all(out, b"\n")
    };
    write(&mut out).map_err(CliError::Write)
}
