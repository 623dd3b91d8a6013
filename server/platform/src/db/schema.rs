//! The embedded migrations, and their comparison with those of another release.

use std::path::Path;
use std::sync::LazyLock;

use rust_embed::RustEmbed;
use sqlx::migrate::{MigrateError, Migration, MigrationType, Migrator};
use sqlx::{AssertSqlSafe, SqlSafeStr};

/// Words of the migrations that the two databases say differently.
#[derive(Debug, Clone, Copy)]
struct Words {
    /// `ID`: the type of ids.
    id: &'static str,
    /// `SORT_KEY`: the type of a text that is compared by its bytes.
    sort_key: &'static str,
    /// `CLUSTERED`: a table keeps its rows in the order of its key, which PostgreSQL does not.
    clustered: &'static str,
}

#[derive(RustEmbed)]
#[folder = "../../migrations"]
struct Files;

/// The migrations as in their files.
static FILES: LazyLock<Migrator> =
    LazyLock::new(|| Migrator::with_migrations(Files::iter().filter_map(|name| load(&name)).collect()));
/// The migrations for SQLite.
pub(super) static SQLITE: LazyLock<Migrator> =
    LazyLock::new(|| in_words(Words { id: "BLOB", sort_key: "TEXT", clustered: "WITHOUT ROWID" }));
/// The migrations for PostgreSQL.
pub(super) static POSTGRES: LazyLock<Migrator> =
    LazyLock::new(|| in_words(Words { id: "UUID", sort_key: "TEXT COLLATE \"C\"", clustered: "" }));

/// Loads an embedded file. Its name is a number and what it adds: `0001_schema.sql`. A test compares all
/// names with those that sqlx accepts.
fn load(name: &str) -> Option<Migration> {
    let (version, description) = name.strip_suffix(".sql")?.split_once('_')?;
    let sql = String::from_utf8(Files::get(name)?.data.into_owned()).ok()?;
    let sql = AssertSqlSafe(sql).into_sql_str();
    let description = description.replace('_', " ").into();
    Some(Migration::new(version.parse().ok()?, description, MigrationType::Simple, sql, false))
}

/// Replaces the placeholders. Ignores applied migrations of later releases: they only add to the schema, so
/// this release still works.
fn in_words(words: Words) -> Migrator {
    let migrations = FILES.iter().map(|file| Migration {
        sql: AssertSqlSafe(replace_words(file.sql.as_str(), words)).into_sql_str(),
        ..file.clone()
    });
    let mut migrations = Migrator::with_migrations(migrations.collect());
    migrations.set_ignore_missing(true);
    migrations
}

fn replace_words(sql: &str, words: Words) -> String {
    let is_end = |c: char| !c.is_ascii_alphanumeric() && c != '_';
    let replace = |text: &str| {
        let word = text.trim_end_matches(is_end);
        let with = match word {
            "ID" => words.id,
            "SORT_KEY" => words.sort_key,
            "CLUSTERED" => words.clustered,
            other => other,
        };
        [with, text.strip_prefix(word).unwrap_or_default()].concat()
    };
    sql.split_inclusive(is_end).map(replace).collect()
}

/// Whether this migration is of a later release.
pub(super) fn is_later(version: i64) -> bool {
    FILES.iter().all(|known| known.version < version)
}

/// Why the schema of another release does not continue this one.
#[derive(Debug, thiserror::Error)]
pub enum SchemaError {
    #[error("can't read the migrations of the release: {0}")]
    Read(#[from] MigrateError),
    #[error("the release has changed the migration {0}")]
    Changed(i64),
    #[error("the release lacks the migration {0}")]
    Missing(i64),
}

/// Checks that the migrations in `folder` begin with those of this release, byte for byte, and returns how
/// many follow.
pub async fn compare_with(folder: &Path) -> Result<usize, SchemaError> {
    let theirs = Migrator::new(folder).await?;
    for ours in FILES.iter() {
        match theirs.iter().find(|other| other.version == ours.version) {
            Some(other) if other.checksum == ours.checksum => {}
            Some(other) => return Err(SchemaError::Changed(other.version)),
            None => return Err(SchemaError::Missing(ours.version)),
        }
    }
    Ok(theirs.iter().count().saturating_sub(FILES.iter().count()))
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use sha2::{Digest, Sha256};

    use super::*;

    fn folder() -> PathBuf {
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../../migrations")
    }

    #[tokio::test]
    async fn every_file_is_embedded_as_sqlx_reads_it() {
        let read = Migrator::new(folder()).await.unwrap();
        let facts = |found: &Migrator| {
            let facts = found.iter().map(|one| (one.version, one.description.clone(), one.checksum.clone()));
            facts.collect::<Vec<_>>()
        };
        assert_eq!(facts(&FILES), facts(&read));
    }

    /// `migrations/checksums.txt` is the output of `sha256sum *.sql` in that folder.
    #[test]
    fn each_migration_has_the_checksum_that_the_list_has() {
        let mut names: Vec<String> = std::fs::read_dir(folder())
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .filter(|name| name.ends_with(".sql"))
            .collect();
        names.sort();
        let line = |name: &String| {
            let digest = Sha256::digest(std::fs::read(folder().join(name)).unwrap());
            let digest: String = digest.iter().map(|byte| format!("{byte:02x}")).collect();
            format!("{digest}  {name}\n")
        };
        let found: String = names.iter().map(line).collect();
        let listed = std::fs::read_to_string(folder().join("checksums.txt")).unwrap();
        assert_eq!(found, listed, "released migrations never change: add a new one");
    }

    #[tokio::test]
    async fn a_release_continues_the_schema_or_differs() {
        let copy = tempfile::tempdir().unwrap();
        for entry in std::fs::read_dir(folder()).unwrap() {
            let entry = entry.unwrap();
            std::fs::copy(entry.path(), copy.path().join(entry.file_name())).unwrap();
        }
        assert_eq!(compare_with(copy.path()).await.unwrap(), 0);
        std::fs::write(copy.path().join("9999_more.sql"), "CREATE TABLE more (id TEXT)").unwrap();
        assert_eq!(compare_with(copy.path()).await.unwrap(), 1);
        let first = copy.path().join("0001_schema.sql");
        std::fs::write(&first, "SELECT 1").unwrap();
        assert!(matches!(compare_with(copy.path()).await, Err(SchemaError::Changed(1))));
        std::fs::remove_file(first).unwrap();
        assert!(matches!(compare_with(copy.path()).await, Err(SchemaError::Missing(1))));
    }

    #[test]
    fn placeholders_are_replaced_as_words() {
        let sql =
            "CREATE TABLE a (id ID PRIMARY KEY, b_ID TEXT, c ID, d IDS, e SORT_KEY NOT NULL) CLUSTERED;\n";
        let replaced = "CREATE TABLE a (id BLOB PRIMARY KEY, b_ID TEXT, c BLOB, d IDS, e TEXT NOT NULL) WITHOUT ROWID;\n";
        let words = Words { id: "BLOB", sort_key: "TEXT", clustered: "WITHOUT ROWID" };
        assert_eq!(replace_words(sql, words), replaced);
    }
}
