//! A copy in the place of a database.

use std::fs::File;
use std::io::ErrorKind;
use std::os::unix::fs::{MetadataExt, chown};
use std::path::{Path, PathBuf};

use rusqlite::OpenFlags;

use super::{CopyError, Depth, PARTIAL, check, fill, into_place, open, read_only};
use crate::db::sqlite;
use crate::files::{sync_folder, with_suffix};
use crate::random;

/// Suffix of the database that a restore has replaced. It is kept in the same folder.
pub const REPLACED: &str = ".replaced";
/// Suffixes of the files that SQLite keeps beside a database. They must not be combined with another
/// database.
const SIDECARS: [&str; 3] = ["-wal", "-shm", "-journal"];

/// Replaces the database in `database` with the one in `from`, and returns the path of the replaced database,
/// if there was one. Takes the lock of the database.
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
    let partial = with_suffix(database, PARTIAL);
    let replaced =
        fill(from, &partial, Depth::Full).and_then(|()| adapt(&partial, database)).and_then(|()| {
            copy_permissions(database, &partial).map_err(|cause| io(&partial, cause))?;
            set_aside(database).map_err(|cause| io(database, cause))?;
            into_place(&partial, database)
        });
    if replaced.is_err() {
        let _ = std::fs::remove_file(&partial);
    }
    replaced?;
    Ok(Some(with_suffix(database, REPLACED)).filter(|kept| kept.exists()))
}

/// Replaces the database by the copy `from`, which was checked when it was made and moves to its place. Keeps
/// the replaced database as `kept`. No process may use the database meanwhile. Can be repeated after a crash.
pub async fn put_back(from: &Path, database: &Path, kept: &Path) -> Result<(), CopyError> {
    let _lock = sqlite::lock(database).await?;
    if !from.exists() && kept.exists() {
        return Ok(());
    }
    let io = |path: &Path| {
        let path = path.to_owned();
        move |cause| CopyError::Io { path, cause }
    };
    renew_identity(from)?;
    keep_as(database, kept).map_err(io(kept))?;
    remove_sidecars(database).map_err(io(database))?;
    match std::fs::rename(from, database) {
        // On another file system.
        Err(error) if error.kind() == ErrorKind::CrossesDevices => {
            let partial = with_suffix(database, PARTIAL);
            std::fs::copy(from, &partial)
                .and_then(|_| File::open(&partial)?.sync_all())
                .map_err(io(&partial))?;
            into_place(&partial, database)
        }
        renamed => renamed.and_then(|()| sync_folder(database)).map_err(io(database)),
    }
}

/// Opens writes in a copy that was made while an update had closed them, and gives it a new identity,
/// which takes over what belongs to the database that it replaces.
fn adapt(copy: &Path, replaced: &Path) -> Result<(), CopyError> {
    let name = new_name(copy)?;
    let adapted = open(copy, OpenFlags::SQLITE_OPEN_READ_WRITE).and_then(|connection| {
        connection.execute("DELETE FROM database_lease", [])?;
        connection.execute("DELETE FROM database_identity", [])?;
        let Some(replaced) = identity_of(replaced) else { return Ok(()) };
        let sql = "INSERT INTO database_identity (id, name, replaces) VALUES ('identity', ?1, ?2)";
        connection.execute(sql, [&name, &replaced]).map(drop)
    });
    adapted.map_err(|cause| CopyError::Write { path: copy.to_owned(), cause })
}

/// Gives a copy that moves to the place of its own database a new identity, which takes over what belongs
/// to that. Once this is done, a repetition changes nothing.
fn renew_identity(copy: &Path) -> Result<(), CopyError> {
    let name = new_name(copy)?;
    let renewed = open(copy, OpenFlags::SQLITE_OPEN_READ_WRITE).and_then(|connection| {
        let sql =
            "UPDATE database_identity SET name = ?1, replaces = name, place = NULL WHERE place IS NOT NULL";
        connection.execute(sql, [name])
    });
    renewed.map(drop).map_err(|cause| CopyError::Write { path: copy.to_owned(), cause })
}

fn new_name(copy: &Path) -> Result<String, CopyError> {
    let io = |cause| CopyError::Io { path: copy.to_owned(), cause };
    random::new_token().map_err(|error| io(std::io::Error::other(error)))
}

/// The identity of a database; `None` if it has none or can't be read.
fn identity_of(database: &Path) -> Option<String> {
    let connection = read_only(database).ok()?;
    connection.query_one("SELECT name FROM database_identity", [], |row| row.get(0)).ok()
}

/// Keeps the database under the name `.replaced` as well, in place of an earlier one, and removes its
/// sidecars: a log that stayed would be read as that of the next database.
fn set_aside(database: &Path) -> std::io::Result<()> {
    let kept = with_suffix(database, REPLACED);
    for suffix in SIDECARS.into_iter().chain([""]) {
        ignore_missing(std::fs::remove_file(with_suffix(&kept, suffix)))?;
    }
    keep_as(database, &kept)?;
    remove_sidecars(database)
}

/// Adds the name `kept` to the database and its sidecars, durably. Names that exist stay.
fn keep_as(database: &Path, kept: &Path) -> std::io::Result<()> {
    for suffix in SIDECARS.into_iter().chain([""]) {
        match std::fs::hard_link(with_suffix(database, suffix), with_suffix(kept, suffix)) {
            Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::AlreadyExists) => {}
            linked => linked?,
        }
    }
    sync_folder(kept)
}

fn remove_sidecars(database: &Path) -> std::io::Result<()> {
    for suffix in SIDECARS {
        ignore_missing(std::fs::remove_file(with_suffix(database, suffix)))?;
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
