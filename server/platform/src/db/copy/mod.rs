//! Copies of a SQLite database: copying a database in use, checking a copy, and restoring it.

mod check;
mod restore;

use std::fs::OpenOptions;
use std::io::ErrorKind;
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};

use rusqlite::{Connection, ErrorCode, OpenFlags};

pub use check::{Depth, check};
pub use restore::{REPLACED, put_back, restore};

use super::{Connection as ReadConnection, OpenError, WAIT_MAX, postgres, sqlite};
use crate::files::{sync_folder, with_suffix};

/// Suffix of a file that is not complete yet.
const PARTIAL: &str = ".partial";
/// Why a database could not be copied or restored.
#[derive(Debug, thiserror::Error)]
pub enum CopyError {
    #[error("`{0}` is not a SQLite database: restore PostgreSQL with pg_restore")]
    Remote(String),
    #[error("the database `{0}` does not exist")]
    Missing(PathBuf),
    #[error("`{0}` already exists and is not overwritten")]
    Exists(PathBuf),
    #[error("`{0}` is the database itself")]
    Itself(PathBuf),
    #[error("can't read `{path}` as a database: {cause}")]
    Read { path: PathBuf, cause: rusqlite::Error },
    #[error("`{path}` is damaged: {found}")]
    Damaged { path: PathBuf, found: String },
    #[error("`{0}` is not a database of Farthing")]
    Foreign(PathBuf),
    #[error("can't write the database `{path}`: {cause}")]
    Write { path: PathBuf, cause: rusqlite::Error },
    #[error("can't write `{path}`: {cause}")]
    Io { path: PathBuf, cause: std::io::Error },
    #[error(transparent)]
    Taken(#[from] OpenError),
}

impl CopyError {
    /// Whether the disk takes no more.
    pub fn is_full(&self) -> bool {
        match self {
            Self::Io { cause, .. } => {
                matches!(
                    cause.kind(),
                    ErrorKind::StorageFull | ErrorKind::QuotaExceeded | ErrorKind::FileTooLarge
                )
            }
            // SQLITE_FULL, and SQLITE_IOERR_WRITE, where the file has reached a limit of its own.
            Self::Write { cause, .. } => {
                cause.sqlite_error().is_some_and(|error| matches!(error.extended_code, 13 | 778))
            }
            _ => false,
        }
    }
}

/// The path of the database's file.
///
/// # Errors
/// The database is not a file.
pub fn file_of(address: &str) -> Result<PathBuf, CopyError> {
    let path =
        sqlite::path_of(address).ok_or_else(|| CopyError::Remote(postgres::without_password(address)))?;
    std::path::absolute(path).map_err(|cause| CopyError::Io { path: path.to_owned(), cause })
}

/// A connection to read a copy with, which is not changed.
pub async fn read(path: &Path) -> Result<ReadConnection, CopyError> {
    Ok(Box::pin(sqlite::read_copy(path)).await?.into())
}

/// Copies the database in `from`, which may be in use, to the new file `to`. The copy is consistent, checked
/// to this depth, and on the disk when this returns; `to` does not exist before.
pub fn copy(from: &Path, to: &Path, depth: Depth) -> Result<(), CopyError> {
    if to.exists() {
        return Err(CopyError::Exists(to.to_owned()));
    }
    let partial = with_suffix(to, PARTIAL);
    let copied = fill(from, &partial, depth).and_then(|()| into_place(&partial, to));
    if copied.is_err() {
        // The first error is returned, whether or not this succeeds.
        let _ = std::fs::remove_file(&partial);
    }
    copied
}

/// Writes a complete copy of `from` to `partial`, synced to the disk and readable by its owner only.
fn fill(from: &Path, partial: &Path, depth: Depth) -> Result<(), CopyError> {
    let io = |cause| CopyError::Io { path: partial.to_owned(), cause };
    match std::fs::remove_file(partial) {
        Err(cause) if cause.kind() != ErrorKind::NotFound => return Err(io(cause)),
        _ => {}
    }
    // SQLite writes into an existing empty file and keeps its mode.
    let file = OpenOptions::new().create_new(true).write(true).mode(0o600).open(partial).map_err(io)?;
    let name = partial.to_str().ok_or_else(|| io(ErrorKind::InvalidFilename.into()))?;
    let into = read_only(from)?.execute("VACUUM INTO ?1", [name]);
    into.map_err(|cause| fill_error(from, partial, cause))?;
    check::check_to(partial, depth).map_err(|error| of_source(error, from))?;
    file.sync_all().map_err(io)
}

/// SQLite reports a damaged source as a failure of the command that writes the copy.
fn fill_error(from: &Path, partial: &Path, cause: rusqlite::Error) -> CopyError {
    match cause.sqlite_error_code() {
        Some(ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase) => {
            CopyError::Read { path: from.to_owned(), cause }
        }
        _ => CopyError::Write { path: partial.to_owned(), cause },
    }
}

/// The error that a check of the copy has found, named after the source, which has it too.
fn of_source(error: CopyError, from: &Path) -> CopyError {
    match error {
        CopyError::Damaged { found, .. } => CopyError::Damaged { path: from.to_owned(), found },
        CopyError::Foreign(_) => CopyError::Foreign(from.to_owned()),
        other => other,
    }
}

fn read_only(path: &Path) -> Result<Connection, CopyError> {
    if !path.is_file() {
        return Err(CopyError::Missing(path.to_owned()));
    }
    open(path, OpenFlags::SQLITE_OPEN_READ_ONLY)
        .map_err(|cause| CopyError::Read { path: path.to_owned(), cause })
}

fn open(path: &Path, flags: OpenFlags) -> Result<Connection, rusqlite::Error> {
    let connection = Connection::open_with_flags(path, flags | OpenFlags::SQLITE_OPEN_NO_MUTEX)?;
    connection.busy_timeout(WAIT_MAX)?;
    Ok(connection)
}

/// Renames `partial` to `to`. The rename is on the disk when this returns.
fn into_place(partial: &Path, to: &Path) -> Result<(), CopyError> {
    let renamed = std::fs::rename(partial, to).and_then(|()| sync_folder(to));
    renamed.map_err(|cause| CopyError::Io { path: to.to_owned(), cause })
}
