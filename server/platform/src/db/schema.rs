//! The schema, embedded, and whether another release has it as well.

use std::path::Path;
use std::sync::LazyLock;

use sqlx::migrate::{MigrateError, Migrator};

/// Its steps are written so that both databases read them. Steps of a later release are left alone: they only add, so
/// that this one serves on them.
pub static MIGRATIONS: LazyLock<Migrator> = LazyLock::new(|| {
    let mut steps = sqlx::migrate!("../../migrations");
    steps.set_ignore_missing(true);
    steps
});

/// Why another release's schema does not go on from this one.
#[derive(Debug, thiserror::Error)]
pub enum SchemaError {
    #[error("can't read its migrations: {0}")]
    Read(#[from] MigrateError),
    #[error("it has changed the migration {0}")]
    Changed(i64),
    #[error("it lacks the migration {0}")]
    Lacks(i64),
}

/// Whether the steps in `folder` begin with those of this release, to the byte, and how many come after them.
pub async fn compare_with(folder: &Path) -> Result<usize, SchemaError> {
    let theirs = Migrator::new(folder).await?;
    for known in MIGRATIONS.iter() {
        match theirs.iter().find(|step| step.version == known.version) {
            Some(step) if step.checksum == known.checksum => {}
            Some(step) => return Err(SchemaError::Changed(step.version)),
            None => return Err(SchemaError::Lacks(known.version)),
        }
    }
    Ok(theirs.iter().count().saturating_sub(MIGRATIONS.iter().count()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_migration_that_was_released_is_never_edited() {
        let own = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../migrations");
        assert_eq!(compare_with(&own).await.unwrap(), 0);
        let folder = tempfile::tempdir().unwrap();
        for entry in std::fs::read_dir(&own).unwrap() {
            let entry = entry.unwrap();
            std::fs::copy(entry.path(), folder.path().join(entry.file_name())).unwrap();
        }
        std::fs::write(folder.path().join("9999_more.sql"), "CREATE TABLE more (id TEXT)").unwrap();
        assert_eq!(compare_with(folder.path()).await.unwrap(), 1);
        let second = folder.path().join("0002_events.sql");
        std::fs::write(&second, "SELECT 1").unwrap();
        assert!(matches!(compare_with(folder.path()).await, Err(SchemaError::Changed(2))));
        std::fs::remove_file(second).unwrap();
        assert!(matches!(compare_with(folder.path()).await, Err(SchemaError::Lacks(2))));
    }
}
