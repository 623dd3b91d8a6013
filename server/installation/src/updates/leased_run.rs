//! The run that has the lease of the database, on any server: its journal is in the data folder of that
//! server alone. What the lease says of the run is for the other servers, and for the notice of the pause on
//! every page.

use serde::{Deserialize, Serialize};

use crate::Installation;
use crate::ids::RunId;
use crate::journal::{self, Run, RunStatus, Step, StepName, StepStatus, moment};
use platform::db::lease::{self, Lease};
use platform::db::{Database, DbError};
use platform::log_field::logged;
use platform::machine;
use platform::time::Moment;

/// Whether an update pauses writes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Pause {
    /// A run is under way that will pause writes.
    Announced,
    Begun,
    /// The run has failed, and so has its rollback: writes pause until its backup is restored.
    Failed,
}

/// What the lease says of its run.
///
/// INVARIANT: servers of other versions read it: the format only gains optional members.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Description {
    /// The name of the machine.
    host: Option<String>,
    from_version: String,
    to_version: Option<String>,
    #[serde(with = "moment::required")]
    started_at: Moment,
    /// The step that is under way.
    step: Option<StepName>,
    will_pause: bool,
}

impl Description {
    fn of(run: &Run) -> Self {
        let host = Some(machine::host_name()).filter(|name| !name.is_empty());
        let step = run.steps.iter().find(|step| step.status == StepStatus::Running);
        // Before `determine` is done, the run may find that there is nothing to do.
        let is_ahead = |step: &Step| matches!(step.status, StepStatus::Pending | StepStatus::Running);
        let will_pause =
            run.is_done(&StepName::Determine) && run.step(&StepName::Backup).is_some_and(is_ahead);
        Self {
            host,
            from_version: run.from_version.clone(),
            to_version: run.to_version.clone(),
            started_at: run.started_at,
            step: step.map(|step| step.name.clone()),
            will_pause,
        }
    }
}

/// The description of a run that takes the lease, or has it.
pub(super) fn describe(run: &Run) -> String {
    // Never fails: its members are texts, numbers and flags.
    serde_json::to_string(&Description::of(run)).unwrap_or_default()
}

/// Tells the other servers of the step that is under way. If that fails, they learn of the next one.
pub(super) async fn publish(db: &Database, run: &Run) {
    let published = async {
        let mut transaction = db.write_always().await?;
        lease::describe(&mut transaction, &run.id.to_string(), &describe(run)).await?;
        transaction.commit().await
    };
    if let Err(error) = published.await {
        tracing::warn!(error = logged(&error), "can't tell the other servers of the step of the update");
    }
}

/// Whether an update pauses writes or will do so, on any server of the database.
pub async fn pause(installation: &Installation) -> Result<Option<Pause>, DbError> {
    let lease = lease::current(&mut installation.db.read().await?).await?;
    let Some(Lease { description, has_closed_writes, .. }) = lease else { return Ok(None) };
    if has_closed_writes {
        let last = journal::read(&installation.settings.data_dir).ok().flatten();
        let has_failed = last.is_some_and(|last| last.run.status == RunStatus::Failed);
        return Ok(Some(if has_failed { Pause::Failed } else { Pause::Begun }));
    }
    let description = serde_json::from_str::<Description>(&description).ok();
    Ok(description.is_some_and(|run| run.will_pause).then_some(Pause::Announced))
}

/// The run that is under way on another server of the database, as far as this one knows. `own` is the
/// current or last run of this server.
pub async fn run_elsewhere(db: &Database, own: Option<&Run>) -> Result<Option<Run>, DbError> {
    // A SQLite file has one server.
    if !db.is_remote() || own.is_some_and(|own| !own.is_finished()) {
        return Ok(None);
    }
    let Some(lease) = lease::current(&mut db.read().await?).await? else { return Ok(None) };
    let found = of_lease(&lease);
    // A run of this server keeps the lease for a moment after its end.
    Ok(found.filter(|found| own.is_none_or(|own| own.id != found.id)))
}

/// `None`: the lease is not that of a run, or a later version describes it in another way.
fn of_lease(lease: &Lease) -> Option<Run> {
    let id: RunId = lease.holder.parse().ok()?;
    let Description { host, from_version, to_version, started_at, step, .. } =
        serde_json::from_str(&lease.description).ok()?;
    let server = host.map_or_else(|| "another server".to_owned(), |host| format!("the server `{host}`"));
    let steps = step.map(|name| Step { status: StepStatus::Running, ..Step::pending(name) });
    Some(Run {
        id,
        status: RunStatus::Running,
        from_version,
        to_version,
        reason: Some(format!("it is an update of {server}, which shows all steps")),
        started_at,
        finished_at: None,
        steps: steps.into_iter().collect(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::journal::tests::sample;

    #[test]
    fn another_server_shows_the_run_and_its_step() {
        let run = sample().run;
        let lease =
            Lease { holder: run.id.to_string(), description: describe(&run), has_closed_writes: false };
        let seen = of_lease(&lease).unwrap();
        assert_eq!((seen.id, seen.started_at), (run.id, run.started_at));
        assert_eq!((seen.from_version, seen.to_version), (run.from_version, run.to_version));
        assert_eq!(seen.status, RunStatus::Running);
        let names: Vec<StepName> = seen.steps.into_iter().map(|step| step.name).collect();
        assert_eq!(names, [StepName::Fetch]);
        assert_eq!(of_lease(&Lease { description: String::new(), ..lease }), None);
    }

    #[test]
    fn the_pause_is_announced_from_the_first_step_after_determine_to_the_backup() {
        let mut run = sample().run;
        assert!(Description::of(&run).will_pause);
        run.step_mut(&StepName::Backup).unwrap().status = StepStatus::Done;
        assert!(!Description::of(&run).will_pause);
        let mut run = sample().run;
        run.step_mut(&StepName::Determine).unwrap().status = StepStatus::Running;
        assert!(!Description::of(&run).will_pause, "there may be nothing to do");
        let mut run = sample().run;
        run.step_mut(&StepName::Backup).unwrap().status = StepStatus::Skipped;
        assert!(!Description::of(&run).will_pause, "a return to the previous release does not pause writes");
    }
}
