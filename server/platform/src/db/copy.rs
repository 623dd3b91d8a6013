//! Copies of a SQLite database: copying a database in use, checking a copy, and restoring it.

use std::fs::{File, OpenOptions};
use std::io::ErrorKind;
use std::os::unix::fs::{MetadataExt, OpenOptionsExt, chown};
use std::path::{Path, PathBuf};

use rusqlite::{Connection, ErrorCode, OpenFlags};

use super::{OpenError, WAIT_MAX, postgres, sqlite};

/// Suffix of the database that a restore has replaced. It is kept in the same folder.
const REPLACED: &str = ".replaced";
/// Suffix of a file that is not complete yet.
const PARTIAL: &str = ".partial";
/// Suffixes of the files that SQLite keeps beside a database. They must not be combined with another database.
const SIDECARS: [&str; 3] = ["-wal", "-shm", "-journal"];

/// Why a database could not be copied or restored.
#[derive(Debug, thiserror::Error)]
pub enum CopyError {
    #[error("`{0}` is not a SQLite database: back up and restore PostgreSQL with pg_dump and pg_restore")]
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

/// Copies the database in `from`, which may be in use, to the new file `to`. The copy is consistent, checked, and on
/// the disk when this returns; `to` does not exist before.
pub fn copy(from: &Path, to: &Path) -> Result<(), CopyError> {
    if to.exists() {
        return Err(CopyError::Exists(to.to_owned()));
    }
    let partial = beside(to, PARTIAL);
    let copied = fill(from, &partial).and_then(|()| into_place(&partial, to));
    if copied.is_err() {
        // The first error is returned, whether or not this succeeds.
        let _ = std::fs::remove_file(&partial);
    }
    copied
}

/// Opens writes in a copy that was made while an update had closed them.
fn clear_lease(copy: &Path) -> Result<(), CopyError> {
    let connection = open(copy, OpenFlags::SQLITE_OPEN_READ_WRITE);
    let cleared = connection.and_then(|connection| connection.execute("DELETE FROM database_lease", []));
    cleared.map(drop).map_err(|cause| CopyError::Write { path: copy.to_owned(), cause })
}

/// Checks that the file is a complete database of Farthing.
pub fn check(path: &Path) -> Result<(), CopyError> {
    check_open(&read_only(path)?, path)
}

/// Replaces the database in `database` with the one in `from`, and returns the path of the replaced database, if there
/// was one. Takes the lock of the database.
///
/// # Errors
/// The database is unchanged, except that after `Io` its write-ahead log may be beside the kept copy only.
pub async fn restore(from: &Path, database: &Path) -> Result<Option<PathBuf>, CopyError> {
    let io = |path: &Path, cause| CopyError::Io { path: path.to_owned(), cause };
    if same_file(from, database) {
        return Err(CopyError::Itself(from.to_owned()));
    }
    check(from)?;
    if let Some(folder) = database.parent() {
        std::fs::create_dir_all(folder).map_err(|cause| io(folder, cause))?;
    }
    let _lock = sqlite::lock(database).await?;
    let partial = beside(database, PARTIAL);
    let replaced = fill(from, &partial).and_then(|()| clear_lease(&partial)).and_then(|()| {
        copy_permissions(database, &partial).map_err(|cause| io(&partial, cause))?;
        set_aside(database).map_err(|cause| io(database, cause))?;
        into_place(&partial, database)
    });
    if replaced.is_err() {
        let _ = std::fs::remove_file(&partial);
    }
    replaced?;
    Ok(Some(beside(database, REPLACED)).filter(|kept| kept.exists()))
}

/// Replaces the database by the copy `from`, which was checked when it was made and moves to its place. Keeps the replaced
/// database as `kept`. No process may use the database meanwhile. Can be repeated after a crash.
pub async fn put_back(from: &Path, database: &Path, kept: &Path) -> Result<(), CopyError> {
    let _lock = sqlite::lock(database).await?;
    if !from.exists() && kept.exists() {
        return Ok(());
    }
    let io = |path: &Path| {
        let path = path.to_owned();
        move |cause| CopyError::Io { path, cause }
    };
    keep_as(database, kept).map_err(io(kept))?;
    remove_sidecars(database).map_err(io(database))?;
    match std::fs::rename(from, database) {
        // On another file system.
        Err(error) if error.kind() == ErrorKind::CrossesDevices => {
            let partial = beside(database, PARTIAL);
            std::fs::copy(from, &partial)
                .and_then(|_| File::open(&partial)?.sync_all())
                .map_err(io(&partial))?;
            into_place(&partial, database)
        }
        renamed => renamed.and_then(|()| sync_folder(database)).map_err(io(database)),
    }
}

/// Writes a complete copy of `from` to `partial`, synced to the disk and readable by its owner only.
fn fill(from: &Path, partial: &Path) -> Result<(), CopyError> {
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
    check(partial).map_err(|error| of_source(error, from))?;
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

fn check_open(connection: &Connection, path: &Path) -> Result<(), CopyError> {
    let read = |cause| CopyError::Read { path: path.to_owned(), cause };
    let text = |sql: &str| connection.query_one(sql, [], |row| row.get::<_, String>(0));
    let found = text("PRAGMA integrity_check(1)").map_err(read)?;
    if found != "ok" {
        return Err(CopyError::Damaged { path: path.to_owned(), found: found.replace('\n', " ") });
    }
    let number = |sql: &str| connection.query_one(sql, [], |row| row.get::<_, i64>(0));
    if number("SELECT count(*) FROM sqlite_schema WHERE name IN ('_sqlx_migrations', 'users')")
        .map_err(read)?
        != 2
    {
        return Err(CopyError::Foreign(path.to_owned()));
    }
    match number("SELECT count(*) FROM pragma_foreign_key_check").map_err(read)? {
        0 => Ok(()),
        dangling => {
            let found = format!("{dangling} of its rows refer to missing rows");
            Err(CopyError::Damaged { path: path.to_owned(), found })
        }
    }
}

/// Renames `partial` to `to`. The rename is on the disk when this returns.
fn into_place(partial: &Path, to: &Path) -> Result<(), CopyError> {
    let renamed = std::fs::rename(partial, to).and_then(|()| sync_folder(to));
    renamed.map_err(|cause| CopyError::Io { path: to.to_owned(), cause })
}

/// Keeps the database under the name `.replaced` as well, in place of an earlier one, and removes its sidecars: a log that
/// stayed would be read as that of the next database.
fn set_aside(database: &Path) -> std::io::Result<()> {
    let kept = beside(database, REPLACED);
    for suffix in SIDECARS.into_iter().chain([""]) {
        ignore_missing(std::fs::remove_file(beside(&kept, suffix)))?;
    }
    keep_as(database, &kept)?;
    remove_sidecars(database)
}

/// Adds the name `kept` to the database and its sidecars, durably. Names that exist stay.
fn keep_as(database: &Path, kept: &Path) -> std::io::Result<()> {
    for suffix in SIDECARS.into_iter().chain([""]) {
        match std::fs::hard_link(beside(database, suffix), beside(kept, suffix)) {
            Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::AlreadyExists) => {}
            linked => linked?,
        }
    }
    sync_folder(kept)
}

fn remove_sidecars(database: &Path) -> std::io::Result<()> {
    for suffix in SIDECARS {
        ignore_missing(std::fs::remove_file(beside(database, suffix)))?;
    }
    sync_folder(database)
}

/// Gives `to` the owner and the mode of `from`, if `from` exists.
fn copy_permissions(from: &Path, to: &Path) -> std::io::Result<()> {
    let Ok(wanted) = std::fs::metadata(from) else { return Ok(()) };
    let found = std::fs::metadata(to)?;
    if (found.uid(), found.gid()) != (wanted.uid(), wanted.gid()) {
        chown(to, Some(wanted.uid()), Some(wanted.gid()))?;
    }
    std::fs::set_permissions(to, wanted.permissions())
}

fn same_file(one: &Path, other: &Path) -> bool {
    let id = |path: &Path| std::fs::metadata(path).ok().map(|data| (data.dev(), data.ino()));
    id(one).is_some_and(|one| Some(one) == id(other))
}

fn ignore_missing(result: std::io::Result<()>) -> std::io::Result<()> {
    match result {
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(()),
        other => other,
    }
}

fn sync_folder(file: &Path) -> std::io::Result<()> {
    let folder = file.parent().filter(|folder| !folder.as_os_str().is_empty());
    File::open(folder.unwrap_or(Path::new(".")))?.sync_all()
}

/// The path with `suffix` appended.
fn beside(path: &Path, suffix: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(suffix);
    name.into()
}
