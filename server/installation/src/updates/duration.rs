//! The time that updates take here, from the audit log: the journal has the last run only.

use accounts::audit;
use platform::db::{Connection, DbError};

use super::end::SUCCEEDED;

/// The entries that are searched.
const ENTRIES_MAX: i64 = 200;

/// The time that the last successful update has taken, in seconds; `None` if that is too long ago.
pub async fn last_update_seconds(db: &mut Connection) -> Result<Option<i64>, DbError> {
    let mut ended_at = None;
    for entry in audit::latest(db, ENTRIES_MAX).await? {
        match (entry.action.as_str(), ended_at) {
            ("UPDATE_FINISHED", _) => {
                let detail = entry.detail.unwrap_or_default();
                ended_at = detail.ends_with(SUCCEEDED).then_some(entry.at);
            }
            ("ROLLBACK_STARTED", _) => ended_at = None,
            ("UPDATE_STARTED", Some(ended_at)) => {
                return Ok(Some((ended_at.millis() - entry.at.millis()) / 1000));
            }
            _ => {}
        }
    }
    Ok(None)
}
