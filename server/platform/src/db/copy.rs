//! Copies of a SQLite database: made while it is in use, checked, and put back.

use std::fs::{File, OpenOptions};
use std::io::ErrorKind;
use std::os::unix::fs::{MetadataExt, OpenOptionsExt, chown};
use std::path::{Path, PathBuf};
use std::time::Duration;

use rusqlite::backup::{Backup, StepResult};
use rusqlite::{Connection, ErrorCode, OpenFlags};

use super::{OpenError, WAIT_MAX, postgres, sqlite};

/// What a restored database has replaced stays beside it, under its name with this at its end.
const REPLACED: &str = ".replaced";
/// Where the next content of a file gathers.
const PARTIAL: &str = ".partial";
/// Files that belong to a database, and to no other that comes in its place.
const SIDECARS: [&str; 3] = ["-wal", "-shm", "-journal"];

/// Why there is no copy, or why it was not put back.
#[derive(Debug, thiserror::Error)]
pub enum CopyError {
    #[error(
        "`{0}` is no SQLite database: a PostgreSQL is backed up and restored with pg_dump and pg_restore"
    )]
    Remote(String),
    #[error("there is no database `{0}`")]
    Missing(PathBuf),
    #[error("`{0}` is there already, and is not overwritten")]
    Exists(PathBuf),
    #[error("`{0}` is the database itself")]
    Itself(PathBuf),
    #[error("can't read `{path}` as a database: {cause}")]
    Read { path: PathBuf, cause: rusqlite::Error },
    #[error("`{path}` is damaged: {found}")]
    Damaged { path: PathBuf, found: String },
    #[error("`{0}` is no database of Farthing")]
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
                matches!(cause.kind(), ErrorKind::StorageFull | ErrorKind::QuotaExceeded | ErrorKind::FileTooLarge)
            }
            // SQLITE_FULL, and SQLITE_IOERR_WRITE, where the file has reached a limit of its own.
            Self::Write { cause, .. } => {
                cause.sqlite_error().is_some_and(|error| matches!(error.extended_code, 13 | 778))
            }
            _ => false,
        }
    }
}

/// The database's file; an error where it is no file.
pub fn file_of(address: &str) -> Result<PathBuf, CopyError> {
    let path =
        sqlite::path_of(address).ok_or_else(|| CopyError::Remote(postgres::without_password(address)))?;
    std::path::absolute(path).map_err(|cause| CopyError::Io { path: path.to_owned(), cause })
}

/// Copies the database in `from`, which may be in use, to the new file `to`: consistent, checked, and on the disk when
/// it returns. Until then `to` is not there.
pub fn copy(from: &Path, to: &Path) -> Result<(), CopyError> {
    if to.exists() {
        return Err(CopyError::Exists(to.to_owned()));
    }
    let partial = beside(to, PARTIAL);
    let whole = fill(from, &partial).and_then(|()| into_place(&partial, to));
    if whole.is_err() {
        // Of use to nobody; the error that is told is the first.
        let _ = std::fs::remove_file(&partial);
    }
    whole
}

/// Whether the file holds a whole database of Farthing.
pub fn check(path: &Path) -> Result<(), CopyError> {
    check_open(&read_only(path)?, path)
}

/// Puts the database in `from` in the place of that in `database`, which nobody may use meanwhile, and says where what
/// was there is kept.
///
/// # Errors
/// The database is as it was, save that the log of what was written last may lie beside what is kept only
/// (`Io` after the last check).
pub async fn restore(from: &Path, database: &Path) -> Result<Option<PathBuf>, CopyError> {
    let io = |path: &Path, cause| CopyError::Io { path: path.to_owned(), cause };
    if same_file(from, database) {
        return Err(CopyError::Itself(from.to_owned()));
    }
    check(from)?;
    if let Some(folder) = database.parent() {
        std::fs::create_dir_all(folder).map_err(|cause| io(folder, cause))?;
    }
    let _alone = sqlite::lock(database).await?;
    let partial = beside(database, PARTIAL);
    let put = fill(from, &partial).and_then(|()| {
        let owned = own_as(&partial, database);
        owned.map_err(|cause| io(&partial, cause))?;
        set_aside(database).map_err(|cause| io(database, cause))?;
        into_place(&partial, database)
    });
    if put.is_err() {
        let _ = std::fs::remove_file(&partial);
    }
    put?;
    Ok(Some(beside(database, REPLACED)).filter(|kept| kept.exists()))
}

/// Writes the content of `from` over that of `database`, in one transaction of its own, also while that is in use.
pub fn write_back(from: &Path, database: &Path) -> Result<(), CopyError> {
    let source = read_only(from)?;
    check_open(&source, from)?;
    let cannot = |cause| CopyError::Write { path: database.to_owned(), cause };
    let mut target = open(database, OpenFlags::SQLITE_OPEN_READ_WRITE).map_err(cannot)?;
    target.pragma_update(None, "synchronous", "FULL").map_err(cannot)?;
    let backup = Backup::new(&source, &mut target).map_err(cannot)?;
    let mut tries = 50;
    loop {
        // All pages at once: it is one transaction.
        match backup.step(-1).map_err(cannot)? {
            StepResult::Done => return Ok(()),
            // A writer that is not through yet.
            _ if tries > 0 => tries -= 1,
            _ => return Err(cannot(rusqlite::Error::SqliteFailure(busy(), None))),
        }
        std::thread::sleep(Duration::from_millis(100));
    }
}

fn busy() -> rusqlite::ffi::Error {
    rusqlite::ffi::Error::new(rusqlite::ffi::SQLITE_BUSY)
}

/// Makes `partial` a whole copy of `from`, on the disk and readable by its owner alone.
fn fill(from: &Path, partial: &Path) -> Result<(), CopyError> {
    let io = |cause| CopyError::Io { path: partial.to_owned(), cause };
    match std::fs::remove_file(partial) {
        Err(cause) if cause.kind() != ErrorKind::NotFound => return Err(io(cause)),
        _ => {}
    }
    // SQLite fills an empty file that is there, and leaves its mode alone.
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
        lost => {
            let found = format!("{lost} of its rows point to what is not there");
            Err(CopyError::Damaged { path: path.to_owned(), found })
        }
    }
}

/// Gives `to` the content of `partial` with one rename, which is on the disk when it returns.
fn into_place(partial: &Path, to: &Path) -> Result<(), CopyError> {
    let renamed = std::fs::rename(partial, to).and_then(|()| sync_folder(to));
    renamed.map_err(|cause| CopyError::Io { path: to.to_owned(), cause })
}

/// Keeps the database under another name as well, and takes away what belongs to it alone: a log that stayed would be
/// read as that of the database which comes in its place.
fn set_aside(database: &Path) -> std::io::Result<()> {
    let kept = beside(database, REPLACED);
    for suffix in SIDECARS.into_iter().chain([""]) {
        let (from, to) = (beside(database, suffix), beside(&kept, suffix));
        absent_is_fine(std::fs::remove_file(&to))?;
        absent_is_fine(std::fs::hard_link(&from, &to))?;
    }
    sync_folder(database)?;
    for suffix in SIDECARS {
        absent_is_fine(std::fs::remove_file(beside(database, suffix)))?;
    }
    sync_folder(database)
}

/// The owner and the mode that the file which is replaced has, if there is one.
fn own_as(file: &Path, model: &Path) -> std::io::Result<()> {
    let Ok(wanted) = std::fs::metadata(model) else { return Ok(()) };
    let found = std::fs::metadata(file)?;
    if (found.uid(), found.gid()) != (wanted.uid(), wanted.gid()) {
        chown(file, Some(wanted.uid()), Some(wanted.gid()))?;
    }
    std::fs::set_permissions(file, wanted.permissions())
}

fn same_file(one: &Path, other: &Path) -> bool {
    let id = |path: &Path| std::fs::metadata(path).ok().map(|data| (data.dev(), data.ino()));
    id(one).is_some_and(|one| Some(one) == id(other))
}

fn absent_is_fine(done: std::io::Result<()>) -> std::io::Result<()> {
    match done {
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(()),
        other => other,
    }
}

fn sync_folder(file: &Path) -> std::io::Result<()> {
    let folder = file.parent().filter(|folder| !folder.as_os_str().is_empty());
    File::open(folder.unwrap_or(Path::new(".")))?.sync_all()
}

/// The path with `suffix` at its end.
fn beside(path: &Path, suffix: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(suffix);
    name.into()
}
