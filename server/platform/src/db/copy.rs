//! Copies of a SQLite database: made while it is in use, checked, and put back.

use std::fs::{File, OpenOptions};
use std::io::ErrorKind;
use std::os::unix::fs::{MetadataExt, OpenOptionsExt, chown};
use std::path::{Path, PathBuf};

use rusqlite::{Connection, OpenFlags};

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

/// Opens writes in a copy that was made while an update had closed them.
fn clear_lease(copy: &Path) -> Result<(), CopyError> {
    let connection = open(copy, OpenFlags::SQLITE_OPEN_READ_WRITE);
    let cleared = connection.and_then(|connection| connection.execute("DELETE FROM database_lease", []));
    cleared.map(drop).map_err(|cause| CopyError::Write { path: copy.to_owned(), cause })
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
    let put = fill(from, &partial).and_then(|()| clear_lease(&partial)).and_then(|()| {
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

/// Replaces the database by the copy `from`, which was checked when it was made and moves to its place. Keeps the replaced
/// database as `kept`. No process may use the database meanwhile. Can be repeated after a crash.
pub async fn put_back(from: &Path, database: &Path, kept: &Path) -> Result<(), CopyError> {
    let _alone = sqlite::lock(database).await?;
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
    into.map_err(|cause| CopyError::Write { path: partial.to_owned(), cause })?;
    check(partial)?;
    file.sync_all().map_err(io)
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

/// Keeps the database under the name `.replaced` as well, in place of an earlier one, and removes its sidecars: a log that
/// stayed would be read as that of the next database.
fn set_aside(database: &Path) -> std::io::Result<()> {
    let kept = beside(database, REPLACED);
    for suffix in SIDECARS.into_iter().chain([""]) {
        absent_is_fine(std::fs::remove_file(beside(&kept, suffix)))?;
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
