//! `farthing copy`: everything in the database to another database, of the other kind for example.

use crate::config::Settings;
use crate::servers::{self, store};
use platform::db::transfer::{self, Progress, TransferError};
use platform::db::{Database, DbError, OpenError, check_address, copy, without_password};

/// Why nothing was copied.
#[derive(Debug, thiserror::Error)]
pub enum CopyToError {
    #[error(transparent)]
    Open(#[from] OpenError),
    #[error(transparent)]
    Transfer(#[from] TransferError),
    #[error(transparent)]
    Db(#[from] DbError),
    #[error("`{0}` is the database that is to be copied: name another one")]
    Itself(String),
    #[error("a later release has migrated the database `{0}`: copy with that release")]
    Later(String),
    #[error(
        "the server `{0}` uses this database: stop it first, or bids would be lost that it accepts meanwhile; one that was \
         killed counts for three minutes"
    )]
    Served(String),
}

/// What was copied.
#[derive(Debug)]
pub struct CopiedRows {
    pub tables: usize,
    pub rows: u64,
}

/// Copies every row of the database of `settings`, which no server may use, to the empty database at `to`,
/// which is created if it is a file that does not exist. All rows or none.
pub async fn copy_to(
    settings: &Settings,
    to: &str,
    progress: impl FnMut(Progress<'_>),
) -> Result<CopiedRows, CopyToError> {
    let from = &settings.database_url;
    check_address(to)?;
    if is_same(from, to) {
        return Err(CopyToError::Itself(without_password(to)));
    }
    Database::require_existing(from).await?;
    // With the lock of a SQLite file, which a server holds.
    let source = Database::open(from).await?;
    let target = Database::open(to).await?;
    let copied = copy_between([(&source, from), (&target, to)], progress).await;
    source.close().await;
    target.close().await;
    copied
}

async fn copy_between(
    [(source, from), (target, to)]: [(&Database, &str); 2],
    progress: impl FnMut(Progress<'_>),
) -> Result<CopiedRows, CopyToError> {
    for (db, address) in [(source, from), (target, to)] {
        if db.has_later_schema().await? {
            return Err(CopyToError::Later(without_password(address)));
        }
    }
    require_unserved(source).await?;
    let copied = transfer::copy_all(source, target, progress).await?;
    // One that was started meanwhile may have accepted bids.
    require_unserved(source).await?;
    let done = CopiedRows { tables: copied.tables, rows: copied.rows };
    copied.commit().await?;
    Ok(done)
}

/// Fails if a server on PostgreSQL was seen recently. A SQLite file is locked instead.
async fn require_unserved(db: &Database) -> Result<(), CopyToError> {
    let since = servers::still_running_since(db.clock().await?.now());
    match store::seen_since(&mut db.read().await?, since).await? {
        Some(host) if db.is_remote() => Err(CopyToError::Served(host)),
        _ => Ok(()),
    }
}

fn is_same(one: &str, other: &str) -> bool {
    let file = |address: &str| copy::file_of(address).ok();
    match (file(one), file(other)) {
        (Some(one), Some(other)) => {
            let real = |path: &std::path::Path| std::fs::canonicalize(path).ok();
            one == other || real(&one).is_some_and(|path| Some(path) == real(&other))
        }
        _ => one == other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_database_is_not_copied_to_itself_nor_from_nowhere() {
        let folder = tempfile::tempdir().unwrap();
        let address = |name: &str| format!("sqlite://{}", folder.path().join(name).display());
        let settings = Settings { database_url: address("a.db"), ..Settings::default() };
        let missing = copy_to(&settings, &address("b.db"), |_| {}).await;
        assert!(matches!(missing, Err(CopyToError::Open(OpenError::Missing(_)))), "{missing:?}");
        assert!(!folder.path().join("b.db").exists());
        Database::open(&settings.database_url).await.unwrap().close().await;
        std::os::unix::fs::symlink(folder.path().join("a.db"), folder.path().join("link.db")).unwrap();
        for name in ["a.db", "./a.db", "link.db"] {
            let refused = copy_to(&settings, &address(name), |_| {}).await;
            assert!(matches!(refused, Err(CopyToError::Itself(_))), "{name}: {refused:?}");
        }
        assert!(copy_to(&settings, "mysql://h/x", |_| {}).await.is_err());
    }
}
