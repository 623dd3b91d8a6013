//! A server that starts carries out the request of the server before it.

use super::super::create::NAME_INTERVAL;
use super::super::folder::{BackupFormat, BackupKind, FolderError, folder};
use super::super::images::{self, ImagesError};
use super::error::{RestoreError, refuse_unfinished_update, settle_failed_update};
use super::request::{self, Outcome, RestoreRequest};
use crate::config::Settings;
use crate::journal::UpdateLock;
use accounts::audit::{self, AuditAction};
use accounts::user::store::user_by_id;
use platform::db::Database;
use platform::db::copy::{self, Depth};
use platform::time::{Clock, Moment};

/// The maximum age of a request. An older one fails, because the operator no longer expects it.
const REQUEST_MILLIS_MAX: i64 = 60_000;

/// Carries out the request of the last server. Must be called before the database is opened.
pub async fn carry_out_request(settings: &Settings, clock: &dyn Clock) -> Result<(), RestoreError> {
    let Some(mut request) = request::read(&settings.data_dir)? else { return Ok(()) };
    if request.outcome.is_some() {
        return Ok(());
    }
    let lock = UpdateLock::take(&settings.data_dir)?;
    let is_late = request.requested_at_millis + REQUEST_MILLIS_MAX < clock.now().millis();
    request.outcome = Some(if is_late && request.replaced.is_none() {
        Outcome::Failed("no server started in time".to_owned())
    } else {
        match replace_database(&lock, settings, &mut request, clock).await {
            Ok(()) => Outcome::Restored,
            Err(error) => Outcome::Failed(error.to_string()),
        }
    });
    tracing::info!(backup = request.backup, outcome = ?request.outcome, "carried out the request to restore");
    Ok(request::write(&lock, &settings.data_dir, &request)?)
}

/// Writes the outcome to the audit log, which is in the restored database.
pub async fn record_outcome(settings: &Settings, db: &Database, now: Moment) -> Result<(), RestoreError> {
    let Some(request) = request::read(&settings.data_dir)? else { return Ok(()) };
    let Some(outcome) = request.outcome else { return Ok(()) };
    let lock = UpdateLock::take(&settings.data_dir)?;
    let mut detail = request.backup;
    if let Some(replaced) = request.replaced {
        detail.push_str(&format!("; the database before it is {replaced}"));
    }
    let mut transaction = db.write_always().await?;
    let actor = match request.requested_by {
        None => None,
        Some(requester) => match user_by_id(&mut transaction, requester.id).await? {
            Some(user) => Some(user.id),
            None => {
                detail.push_str(&format!("; requested by {}, who had no account then", requester.name));
                None
            }
        },
    };
    let action = match outcome {
        Outcome::Restored => AuditAction::Restored(detail),
        Outcome::Failed(reason) => AuditAction::NotRestored(format!("{detail}: {reason}")),
    };
    audit::record(&mut transaction, now, actor, &action).await?;
    transaction.commit().await?;
    Ok(request::remove(&lock, &settings.data_dir)?)
}

/// INVARIANT: before anything is replaced, the current database is a complete backup whose name is in the
/// request. So this can be interrupted at any point and repeated.
async fn replace_database(
    lock: &UpdateLock,
    settings: &Settings,
    request: &mut RestoreRequest,
    clock: &dyn Clock,
) -> Result<(), RestoreError> {
    refuse_unfinished_update(settings)?;
    let (database, folder) = (copy::file_of(&settings.database_url)?, folder(settings)?);
    let chosen = folder.join(&request.backup);
    copy::check(&chosen)?;
    let name = match request.replaced.take() {
        Some(begun) => begun,
        None => free_name(settings, clock).await?,
    };
    request.replaced = Some(name.clone());
    request::write(lock, &settings.data_dir, request)?;
    let path = folder.join(name);
    if !path.exists() {
        copy::copy(&database, &path, Depth::Full)?;
    }
    let store = settings.image_store().map_err(ImagesError::from)?;
    images::save(&store, &path).await?;
    images::bring_back(&chosen, &store).await?;
    copy::restore(&chosen, &database).await?;
    Ok(settle_failed_update(lock, settings, &request.backup)?)
}

/// The name of a backup of now. Waits if there is a backup of the same second.
async fn free_name(settings: &Settings, clock: &dyn Clock) -> Result<String, FolderError> {
    let folder = folder(settings)?;
    loop {
        let name = BackupKind::Limited.name_at(clock.now(), BackupFormat::Copy);
        if !folder.join(&name).exists() {
            return Ok(name);
        }
        tokio::time::sleep(NAME_INTERVAL).await;
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::super::super::create::backup;
    use super::super::super::folder::list;
    use super::*;
    use crate::journal::LockError;
    use platform::time::SystemClock;

    /// Settings whose database has an additional table of this name.
    async fn with_table(folder: &Path, table: &str) -> Settings {
        let settings = Settings {
            database_url: format!("sqlite://{}", folder.join("farthing.db").display()),
            data_dir: folder.join("data"),
            install_dir: folder.to_owned(),
            ..Settings::default()
        };
        Database::open(&settings.database_url).await.unwrap().close().await;
        let database = rusqlite::Connection::open(folder.join("farthing.db")).unwrap();
        database.execute_batch(&format!("CREATE TABLE {table} (x)")).unwrap();
        settings
    }

    fn has_table(database: &Path, table: &str) -> bool {
        let sql = format!("SELECT count(*) FROM sqlite_schema WHERE name = '{table}'");
        rusqlite::Connection::open(database).unwrap().query_one(&sql, [], |row| row.get(0)).unwrap()
    }

    fn place(settings: &Settings, request: &RestoreRequest) {
        let lock = UpdateLock::take(&settings.data_dir).unwrap();
        request::write(&lock, &settings.data_dir, request).unwrap();
    }

    fn outcome(settings: &Settings) -> Option<Outcome> {
        request::read(&settings.data_dir).unwrap().unwrap().outcome
    }

    fn request_of(backup: &Path) -> RestoreRequest {
        let backup = backup.file_name().unwrap().to_str().unwrap().to_owned();
        let requested_at_millis = SystemClock.now().millis();
        RestoreRequest { backup, requested_by: None, requested_at_millis, replaced: None, outcome: None }
    }

    #[tokio::test]
    async fn an_interrupted_restoration_is_repeated() {
        let folder = tempfile::tempdir().unwrap();
        let settings = with_table(folder.path(), "old").await;
        let backup = backup(&settings, &SystemClock).await.unwrap();
        let settings = with_table(folder.path(), "new").await;
        let database = folder.path().join("farthing.db");

        place(&settings, &request_of(&backup));
        carry_out_request(&settings, &SystemClock).await.unwrap();
        assert_eq!(outcome(&settings), Some(Outcome::Restored));
        assert!(has_table(&database, "old") && !has_table(&database, "new"));
        // As after a power failure before the outcome was written.
        let done = request::read(&settings.data_dir).unwrap().unwrap();
        place(&settings, &RestoreRequest { outcome: None, requested_at_millis: 0, ..done.clone() });
        carry_out_request(&settings, &SystemClock).await.unwrap();
        assert_eq!(outcome(&settings), Some(Outcome::Restored));
        let before = folder.path().join("data/backups").join(done.replaced.unwrap());
        assert!(has_table(&before, "new") && !has_table(&database, "new"));
        assert_eq!(list(&settings).unwrap().len(), 2);
    }

    #[tokio::test]
    async fn late_requests_and_requests_during_an_update_are_refused() {
        let folder = tempfile::tempdir().unwrap();
        let settings = with_table(folder.path(), "old").await;
        let backup = backup(&settings, &SystemClock).await.unwrap();
        let settings = with_table(folder.path(), "new").await;
        place(&settings, &RestoreRequest { requested_at_millis: 0, ..request_of(&backup) });
        carry_out_request(&settings, &SystemClock).await.unwrap();
        assert!(matches!(outcome(&settings), Some(Outcome::Failed(why)) if why.contains("in time")));

        place(&settings, &request_of(&backup));
        let update = UpdateLock::take(&settings.data_dir).unwrap();
        let done = carry_out_request(&settings, &SystemClock).await;
        assert!(matches!(done, Err(RestoreError::Update(LockError::Held))));
        drop(update);
        assert!(has_table(&folder.path().join("farthing.db"), "new"));
    }

    #[test]
    fn the_format_of_the_request_does_not_change() {
        let text = r#"{"backup":"backup_20260501_080907.db","askedBy":{"id":"019de4bf-6c00-7d7a-95d2-9d5b0ff3f6d1","name":"Ada"},"askedAtMillis":1,"kept":null,"outcome":{"failed":"no"}}"#;
        let read: RestoreRequest = serde_json::from_str(text).unwrap();
        assert_eq!(serde_json::to_string(&read).unwrap(), text);
    }
}
