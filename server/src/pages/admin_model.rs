//! The Deployment Administration in the pages' words.

use crate::bridge::AccountDirectory;
use app::model::{
    AdminPage, Administration, AuditEntry, BackupFacts, RunFacts, RunState, StepFacts, StepState,
    VersionFacts,
};
use installation::backups;

use crate::state::AppState;
use auction_house::ids::UserId;
use installation::audit::{self, Entry};
use installation::backups::create::BackupFile;
use installation::releases::Source;
use installation::releases::version::{Known, known};
use installation::settings::store;
use installation::updates;
use installation::updates::journal::{RunStatus, Step, StepStatus};
use platform::db::{Connection, DbError};
use platform::time::Moment;

/// Entries of the log that the page shows.
const LOG_MAX: i64 = 50;

pub async fn read(state: &AppState, db: &mut Connection, user: UserId) -> Result<AdminPage, DbError> {
    let settings = store::settings(db, &AccountDirectory).await?;
    let source = Source::of(&state.installation.settings);
    Ok(match settings.admin {
        None => AdminPage::Unclaimed,
        Some(admin) if admin.id != user => AdminPage::Taken,
        Some(_) => AdminPage::Mine(Box::new(Administration {
            version: facts(known(db, &source).await?),
            auto_check_updates: settings.auto_check_updates,
            run: run(state),
            backups: backups(state),
            log: audit::store::latest_entries(db, LOG_MAX).await?.into_iter().map(deed).collect(),
        })),
    })
}

/// The version of a newer release: for who may update to it.
pub async fn newer_release(db: &mut Connection, source: &Source) -> Result<Option<String>, DbError> {
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

/// A journal that can't be read is told in the log: the rest of the page is still of use.
fn run(state: &AppState) -> Option<RunFacts> {
    let run =
        updates::run::current(&state.installation).inspect_err(|error| cannot_show(error)).ok().flatten()?;
    let until = run.finished_at.unwrap_or_else(|| state.context.clock.now()).millis();
    let status = match run.status {
        RunStatus::Running => RunState::Running,
        RunStatus::NothingToDo => RunState::NothingToDo,
        RunStatus::Succeeded => RunState::Succeeded,
        RunStatus::RolledBack => RunState::RolledBack,
        RunStatus::Failed => RunState::Failed,
    };
    Some(RunFacts {
        id: run.id.to_string(),
        status,
        from: run.from_version,
        to: run.to_version,
        reason: run.reason,
        started_at: run.started_at.millis(),
        finished_at: run.finished_at.map(Moment::millis),
        steps: run.steps.into_iter().map(|begun| step(begun, until)).collect(),
    })
}

/// `until`: when a step has ended at the latest.
fn step(step: Step, until: i64) -> StepFacts {
    let status = match step.status {
        StepStatus::Pending => StepState::Pending,
        StepStatus::Running => StepState::Running,
        StepStatus::Done => StepState::Done,
        StepStatus::Skipped => StepState::Skipped,
        StepStatus::Failed => StepState::Failed,
    };
    let until = step.finished_at.map_or(until, Moment::millis);
    StepFacts {
        name: step.name.to_string(),
        status,
        milliseconds: step.started_at.map(|at| until - at.millis()),
        output: step.output,
        reason: step.reason,
    }
}

fn backups(state: &AppState) -> Option<Vec<BackupFacts>> {
    if !state.installation.settings.database_url.starts_with("sqlite:") {
        return None;
    }
    let files =
        backups::create::list(&state.installation.settings).inspect_err(|error| cannot_show(error)).ok()?;
    let facts =
        |file: BackupFile| BackupFacts { name: file.name, bytes: file.bytes, made_at: file.made_at.millis() };
    Some(files.into_iter().map(facts).collect())
}

fn cannot_show(error: &(dyn std::error::Error + 'static)) {
    tracing::error!(error, "a part of the administration can't be shown");
}

fn deed(entry: Entry) -> AuditEntry {
    let subject = entry.subject.as_deref().unwrap_or_default();
    let detail = entry.detail.as_deref().unwrap_or_default();
    let words = match entry.act.as_str() {
        "CLAIMED" => "became the Deployment Admin".to_owned(),
        "TRANSFERRED" => format!("handed the administration on to {subject}"),
        "APPOINTED" => format!("made {subject} the Deployment Admin"),
        "AUTO_CHECK_ON" => "switched automatic checks on".to_owned(),
        "AUTO_CHECK_OFF" => "switched automatic checks off".to_owned(),
        "UPDATE_STARTED" => "started an update".to_owned(),
        "UPDATE_FINISHED" => detail.to_owned(),
        "BACKED_UP" => format!("made the backup {detail}"),
        "RESTORED" => format!("restored the backup {detail}"),
        "NOT_RESTORED" => format!("could not restore the backup {detail}"),
        // Of another release.
        other => format!("did {other} {subject} {detail}").trim_end().to_owned(),
    };
    let actor = match entry.act.as_str() {
        // Whoever started it, it ends by itself.
        "UPDATE_FINISHED" => Some("The update".to_owned()),
        _ => entry.actor,
    };
    AuditEntry { at: entry.at.millis(), actor, words }
}
