//! The embedded migrations, and their comparison with those of another release.

use std::path::Path;
use std::sync::LazyLock;

use rust_embed::RustEmbed;
use sqlx::migrate::{MigrateError, Migration, MigrationType, Migrator};
use sqlx::{AssertSqlSafe, SqlSafeStr};

/// Placeholder in the migrations for the type of ids, the only type that the two databases name differently.
const ID: &str = "ID";

#[derive(RustEmbed)]
#[folder = "../../migrations"]
struct Files;

/// The migrations as in their files.
static FILES: LazyLock<Migrator> =
    LazyLock::new(|| Migrator::with_migrations(Files::iter().filter_map(|name| read(&name)).collect()));
/// The migrations for SQLite.
pub(super) static SQLITE: LazyLock<Migrator> = LazyLock::new(|| with_id_type("BLOB"));
/// The migrations for PostgreSQL.
pub(super) static POSTGRES: LazyLock<Migrator> = LazyLock::new(|| with_id_type("UUID"));

/// Reads an embedded file. Its name is a number and what it adds: `0001_schema.sql`. A test compares all
/// names with those that sqlx accepts.
fn read(name: &str) -> Option<Migration> {
    let (version, description) = name.strip_suffix(".sql")?.split_once('_')?;
    let sql = String::from_utf8(Files::get(name)?.data.into_owned()).ok()?;
    let sql = AssertSqlSafe(sql).into_sql_str();
    let description = description.replace('_', " ").into();
    Some(Migration::new(version.parse().ok()?, description, MigrationType::Simple, sql, false))
}

/// Replaces the placeholder. Ignores applied migrations of later releases: they only add to the schema, so
/// this release still works.
fn with_id_type(id_type: &str) -> Migrator {
    let migrations = FILES.iter().map(|file| Migration {
        sql: AssertSqlSafe(replace_id_type(file.sql.as_str(), id_type)).into_sql_str(),
        ..file.clone()
    });
    let mut migrations = Migrator::with_migrations(migrations.collect());
    migrations.set_ignore_missing(true);
    migrations
}

fn replace_id_type(sql: &str, id_type: &str) -> String {
    let is_end = |c: char| !c.is_ascii_alphanumeric() && c != '_';
    let word = |text: &str| match text.strip_prefix(ID) {
        Some(end) if end.chars().all(is_end) => [id_type, end].concat(),
        _ => text.to_owned(),
    };
    sql.split_inclusive(is_end).map(word).collect()
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
    fn the_type_of_ids_is_replaced_as_a_word() {
        let sql = "CREATE TABLE a (id ID PRIMARY KEY, b_ID TEXT, c ID, d IDS);\n";
        let replaced = "CREATE TABLE a (id BLOB PRIMARY KEY, b_ID TEXT, c BLOB, d IDS);\n";
        assert_eq!(replace_id_type(sql, "BLOB"), replaced);
    }
}
