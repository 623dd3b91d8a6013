//! The check of a copy.

use std::path::Path;

use rusqlite::Connection;

use super::{CopyError, read_only};

/// How much of a copy is checked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Depth {
    /// Every page and row, the indexes, and the references between tables.
    Full,
    /// Every page and row, which takes about a tenth of the time. It finds what can go wrong with a copy. An
    /// error in the indexes or references of the copied database is only found by a full check.
    Pages,
}

/// Checks that the file is a complete database of Farthing.
pub fn check(path: &Path) -> Result<(), CopyError> {
    check_to(path, Depth::Full)
}

pub(super) fn check_to(path: &Path, depth: Depth) -> Result<(), CopyError> {
    check_open(&read_only(path)?, path, depth)
}

fn check_open(connection: &Connection, path: &Path, depth: Depth) -> Result<(), CopyError> {
    let read = |cause| CopyError::Read { path: path.to_owned(), cause };
    let text = |sql: &str| connection.query_one(sql, [], |row| row.get::<_, String>(0));
    let pragma = match depth {
        Depth::Full => "PRAGMA integrity_check(1)",
        Depth::Pages => "PRAGMA quick_check(1)",
    };
    let found = text(pragma).map_err(read)?;
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
    if depth == Depth::Pages {
        return Ok(());
    }
    match number("SELECT count(*) FROM pragma_foreign_key_check").map_err(read)? {
        0 => Ok(()),
        dangling => {
            let found = format!("{dangling} of its rows refer to missing rows");
            Err(CopyError::Damaged { path: path.to_owned(), found })
        }
    }
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::FileExt;
    use std::path::PathBuf;

    use super::super::copy;
    use super::*;
    use crate::db::Database;

    async fn database(folder: &Path) -> PathBuf {
        let path = folder.join("farthing.db");
        Database::open(&format!("sqlite://{}", path.display())).await.unwrap().close().await;
        path
    }

    #[tokio::test]
    async fn a_damaged_page_is_found_at_either_depth() {
        let folder = tempfile::tempdir().unwrap();
        let path = database(folder.path()).await;
        for depth in [Depth::Pages, Depth::Full] {
            check_to(&path, depth).unwrap();
        }
        let file = std::fs::OpenOptions::new().write(true).open(&path).unwrap();
        // The first page has the schema; the others belong to tables and indexes.
        file.write_all_at(&[0x5a; 4096], 4096).unwrap();
        for depth in [Depth::Pages, Depth::Full] {
            assert!(matches!(check_to(&path, depth), Err(CopyError::Damaged { .. })), "{depth:?}");
        }
    }

    #[tokio::test]
    async fn a_dangling_reference_is_found_by_a_full_check_only() {
        let folder = tempfile::tempdir().unwrap();
        let path = database(folder.path()).await;
        let connection = Connection::open(&path).unwrap();
        let dangling = "PRAGMA foreign_keys = OFF; INSERT INTO reset_links VALUES (x'01', 'x', 1, NULL)";
        connection.execute_batch(dangling).unwrap();
        let copied = |name: &str, depth| copy(&path, &folder.path().join(name), depth);
        copied("pages.db", Depth::Pages).unwrap();
        assert!(matches!(copied("full.db", Depth::Full), Err(CopyError::Damaged { .. })));
        assert!(!folder.path().join("full.db").exists());
    }
}
