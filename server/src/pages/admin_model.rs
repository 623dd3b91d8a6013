//! The Deployment Administration in the pages' words.

use app::model::{AdminPage, Administration, Deed, VersionFacts};

use crate::db::{Connection, DbError};
use crate::ids::UserId;
use crate::system::audit::Entry;
use crate::system::release::Source;
use crate::system::version::{Known, known};
use crate::system::{admin, store};

/// Entries of the log that the page shows.
const LOG_MAX: i64 = 50;

pub async fn read(db: &mut Connection, user: UserId, source: &Source) -> Result<AdminPage, DbError> {
    let settings = store::settings(db).await?;
    Ok(match settings.admin {
        None => AdminPage::Unclaimed,
        Some(admin) if admin.id != user => AdminPage::Taken,
        Some(_) => AdminPage::Mine(Administration {
            version: facts(known(db, source).await?),
            auto_check_updates: settings.auto_check_updates,
            log: store::latest_entries(db, LOG_MAX).await?.into_iter().map(deed).collect(),
        }),
    })
}

/// The version of a newer release, for who may update to it.
pub async fn newer_release(
    db: &mut Connection,
    user: UserId,
    source: &Source,
) -> Result<Option<String>, DbError> {
    if !admin::is_admin(db, user).await? {
        return Ok(None);
    }
    let known = known(db, source).await?;
    Ok(known.update_available.then(|| known.latest.to_string()))
}

fn facts(known: Known) -> VersionFacts {
    VersionFacts {
        current: known.current.to_string(),
        latest: known.latest.to_string(),
        update_available: known.update_available,
        release_url: known.release_url,
        check_error: known.check_error,
    }
}

fn deed(entry: Entry) -> Deed {
    let subject = entry.subject.as_deref().unwrap_or_default();
    let detail = entry.detail.as_deref().unwrap_or_default();
    let words = match entry.act.as_str() {
        "CLAIMED" => "became the Deployment Admin".to_owned(),
        "TRANSFERRED" => format!("handed the administration on to {subject}"),
        "APPOINTED" => format!("made {subject} the Deployment Admin"),
        "AUTO_CHECK_ON" => "switched automatic checks on".to_owned(),
        "AUTO_CHECK_OFF" => "switched automatic checks off".to_owned(),
        "UPDATE_STARTED" => "started an update".to_owned(),
        "UPDATE_FINISHED" => format!("finished an update: {detail}"),
        // Of another release.
        other => format!("did {other} {subject} {detail}").trim_end().to_owned(),
    };
    Deed { at: entry.at.millis(), actor: entry.actor, words }
}
