//! The Deployment Administration as page data.

use accounts::audit;
use app::model::{RunState, StepState};
use auction_house::ids::UserId;
use installation::backups::folder::{BackupFile, BackupFormat};
use installation::backups::{folder, scheduled};
use installation::journal::{Run, RunStatus, Step, StepStatus};
use installation::releases::Source;
use installation::settings::{claim, store};
use installation::updates::disk::free_space;
use installation::updates::{RunDocument, find_previous, fingerprint};
use installation::{journal, servers, updates};
use platform::db::{Connection, DbError};
use platform::file_store::Claim;
use platform::time::Moment;

use super::audit_log::AuditLine;
use super::backups::{BackupFacts, Backups};
use super::show::view::{AdminPage, Administration};
use super::update::{RunFacts, StepFacts};
use super::{settings, version};
use crate::state::AppState;

/// The maximum number of audit entries on the page.
const LOG_MAX: i64 = 50;

pub async fn read(state: &AppState, db: &mut Connection, user: UserId) -> Result<AdminPage, DbError> {
    let stored = store::settings(db).await?;
    let source = Source::of(&state.installation.settings);
    Ok(match stored.admin {
        None => {
            let settings = &state.installation.settings;
            AdminPage::Unclaimed(claim::terms(settings, db, user).await?)
        }
        Some(admin) if admin.id != user => AdminPage::Taken,
        Some(admin) => {
            let run = last_run(state).await;
            AdminPage::Mine(Box::new(Administration {
                version: version::facts(state, db, &source).await?,
                auto_check_updates: stored.auto_check_updates,
                has_second_factor: admin.has_second_factor,
                needs_second_factor: stored.admin_second_factor,
                run_state: fingerprint(run.clone().map(RunDocument::from).as_ref()),
                run: match run {
                    Some(run) => Some(run_facts(state, run).await),
                    None => None,
                },
                previous: previous(state).await,
                backups: backups(state),
                settings: settings::in_force(&state.installation.settings),
                free_disk: free_space(&state.installation.settings.data_dir).ok(),
                sends_mail: state.accounts.outbox.sends_mail,
                pictures: pictures(state).await?,
                log: log(db).await?,
                log_of_people: log_of_people(db).await?,
            }))
        }
    })
}

/// What is to be known of the store of pictures.
async fn pictures(state: &AppState) -> Result<Option<String>, DbError> {
    let apart = servers::with_other_pictures(&state.installation).await?;
    if !apart.is_empty() {
        let hosts = apart.join(", ");
        return Ok(Some(format!(
            "Another server keeps them elsewhere: {hosts}. Give all the same --images."
        )));
    }
    Ok(state
        .images
        .claimed()
        .and_then(|claimed| match claimed.claim {
            Claim::Own => None,
            Claim::Shared => {
                Some("Another installation uses the store, so none is ever removed. The log says more.")
            }
            Claim::Foreign => {
                Some("The store is another installation’s, so none is ever removed. The log says more.")
            }
        })
        .map(str::to_owned))
}

/// An unreadable journal is logged, and the rest of the page is shown.
async fn last_run(state: &AppState) -> Option<Run> {
    let journal = journal::read(&state.installation.settings.data_dir);
    let own = journal.inspect_err(|error| log_failure(error)).ok().flatten().map(|journal| journal.run);
    let elsewhere = updates::run_elsewhere(&state.context.db, own.as_ref()).await;
    elsewhere.inspect_err(|error| log_failure(error)).ok().flatten().or(own)
}

async fn run_facts(state: &AppState, run: Run) -> RunFacts {
    let backup_to_restore = backup_to_restore(state, &run).await;
    let until = run.finished_at.unwrap_or_else(|| state.context.clock.now()).millis();
    let status = match run.status {
        RunStatus::Running => RunState::Running,
        RunStatus::NothingToDo => RunState::NothingToDo,
        RunStatus::Succeeded => RunState::Succeeded,
        RunStatus::RolledBack => RunState::RolledBack,
        RunStatus::Failed => RunState::Failed,
    };
    RunFacts {
        id: run.id.to_string(),
        status,
        from: run.from_version,
        to: run.to_version,
        reason: run.reason,
        started_at: run.started_at.millis(),
        finished_at: run.finished_at.map(Moment::millis),
        steps: run.steps.into_iter().map(|begun| step(begun, until)).collect(),
        backup_to_restore,
    }
}

/// The name of the backup of a failed run, if its restoration opens writes: the previous release is linked
/// again.
async fn backup_to_restore(state: &AppState, run: &Run) -> Option<String> {
    let settings = &state.installation.settings;
    let due = updates::needs_restoration(run, &state.context.db).await;
    if !due.inspect_err(|error| log_failure(error)).unwrap_or_default() {
        return None;
    }
    let plan = journal::read(&settings.data_dir).ok().flatten()?.rollback;
    let is_previous_linked = std::fs::read_link(plan.install_dir.join("current")).ok() == plan.previous;
    let name = plan.backup.filter(|_| is_previous_linked)?.file_name()?.to_string_lossy().into_owned();
    let files = folder::list(settings).inspect_err(|error| log_failure(error)).ok()?;
    files.into_iter().map(|file| file.name).find(|found| *found == name)
}

/// `until` is the end of a step that has no end of its own.
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

async fn previous(state: &AppState) -> Option<String> {
    let found = find_previous(&state.installation.settings.install_dir).await?;
    Some(found.version.to_string())
}

/// The backups, and what is known about those of the schedule.
fn backups(state: &AppState) -> Backups {
    let settings = &state.installation.settings;
    Backups {
        files: backup_files(state),
        can_back_up: scheduled::is_possible(settings),
        is_copied: !state.context.db.is_remote(),
        has_schedule: settings.backup_schedule.is_some(),
        failure: settings
            .backup_schedule
            .and_then(|_| scheduled::last_failure(settings))
            .map(|failure| (failure.at.millis(), failure.words)),
        now: state.context.clock.now().millis(),
    }
}

/// The backups, newest first; none if they can't be listed.
pub(super) fn backup_files(state: &AppState) -> Vec<BackupFacts> {
    let listed = folder::list(&state.installation.settings).inspect_err(|error| log_failure(error));
    let facts = |file: BackupFile| BackupFacts {
        name: file.name,
        bytes: file.bytes,
        made_at: file.made_at.millis(),
        is_copy: file.format == BackupFormat::Copy,
    };
    listed.unwrap_or_default().into_iter().map(facts).collect()
}

/// The backups that can be restored on the page.
pub(super) fn can_restore(state: &AppState) -> bool {
    !state.context.db.is_remote() && backup_files(state).iter().any(|file| file.is_copy)
}

fn log_failure(error: &(dyn std::error::Error + 'static)) {
    tracing::error!(error, "can't show a part of the administration");
}

async fn log(db: &mut Connection) -> Result<Vec<AuditLine>, DbError> {
    let entries = audit::latest(db, LOG_MAX).await?;
    Ok(entries.into_iter().map(describe).collect())
}

/// Sign-ins, also failed ones, and what users did with their accounts.
async fn log_of_people(db: &mut Connection) -> Result<Vec<AuditLine>, DbError> {
    let entries = audit::latest_of_people(db, LOG_MAX).await?;
    Ok(entries.into_iter().map(describe).collect())
}

fn describe(entry: audit::AuditEntry<String>) -> AuditLine {
    let subject = entry.subject.as_deref().unwrap_or_default();
    let detail = entry.detail.as_deref().unwrap_or_default();
    let words = match entry.action.as_str() {
        "CLAIMED" => "became the Deployment Admin".to_owned(),
        "TRANSFERRED" => format!("made {subject} the Deployment Admin"),
        "APPOINTED" => format!("made {subject} the Deployment Admin"),
        "AUTO_CHECK_ON" => "switched automatic checks on".to_owned(),
        "AUTO_CHECK_OFF" => "switched automatic checks off".to_owned(),
        "ADMIN_SECOND_FACTOR_ON" => "made a second factor a condition of the role".to_owned(),
        "ADMIN_SECOND_FACTOR_OFF" => "made a second factor no condition of the role any more".to_owned(),
        "UPDATE_STARTED" => "started an update".to_owned(),
        "ROLLBACK_STARTED" => "started the return to the previous release".to_owned(),
        "UPDATE_FINISHED" => detail.to_owned(),
        "BACKED_UP" => format!("made the backup {detail}"),
        "BACKUP_DOWNLOADED" => format!("downloaded the backup {detail}"),
        "RESTORED" => format!("restored the backup {detail}"),
        "NOT_RESTORED" => format!("could not restore the backup {detail}"),
        "PASSWORD_CHANGED" => "changed their password".to_owned(),
        "EMAIL_CHANGED" => "changed their e-mail".to_owned(),
        "EMAIL_CONFIRMED" => "confirmed their e-mail".to_owned(),
        "REGISTERED" => "registered".to_owned(),
        "SIGN_IN" => "signed in".to_owned(),
        "SIGN_IN_FAILED" if subject.is_empty() => "failed to sign in, with an unknown e-mail".to_owned(),
        "SIGN_IN_FAILED" => format!("failed to sign in as {subject}"),
        "ACCOUNT_DELETED" => "deleted their account".to_owned(),
        "ACCOUNT_DISABLED" => format!("disabled the account of {subject}"),
        "ACCOUNT_ENABLED" => format!("enabled the account of {subject}"),
        "SECOND_FACTOR_ON" => "turned their second factor on".to_owned(),
        "SECOND_FACTOR_OFF" if entry.actor.is_some() => "turned their second factor off".to_owned(),
        "SECOND_FACTOR_OFF" => format!("turned the second factor of {subject} off"),
        "RECOVERY_CODES_RENEWED" => "made new recovery codes for themselves".to_owned(),
        "UPGRADE_UNDONE" => format!("made {subject} a user without an e-mail again"),
        "SESSIONS_ENDED" => format!("signed {subject} out everywhere"),
        "RESET_LINK" => format!("made a link with which {subject} can set a new password"),
        // An action of another release.
        other => format!("did {other} {subject} {detail}").trim_end().to_owned(),
    };
    let actor = match entry.action.as_str() {
        // It ends by itself, independent of the actor who started it.
        "UPDATE_FINISHED" => Some("The update".to_owned()),
        "SIGN_IN_FAILED" => Some("Somebody".to_owned()),
        _ => entry.actor,
    };
    let words = entry.address.map_or(words.clone(), |address| format!("{words}, from {address}"));
    AuditLine { at: entry.at.millis(), actor, words }
}
