//! The update: what starts it, and the current or last run. The run is refreshed while the page is open, also
//! across the restart of the server.

use app::components::live_news::LiveNews;
use app::components::moment::{date_and_time, stamp};
use app::model::{Refused, RunState, StepState};
use leptos::prelude::*;

use super::backups::{BACKUP, RESTORE_PASSWORD};
use super::password::PasswordField;
use super::start_update::StartUpdate;
use super::version::VersionFacts;

/// A run of the update.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RunFacts {
    pub id: String,
    pub status: RunState,
    pub from: String,
    /// Absent until the run has determined the latest release.
    pub to: Option<String>,
    pub reason: Option<String>,
    pub started_at: i64,
    pub finished_at: Option<i64>,
    pub steps: Vec<StepFacts>,
    /// The backup that has to be restored before writes open and the next update can start.
    pub backup_to_restore: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StepFacts {
    pub name: String,
    pub status: StepState,
    /// Duration, so far if the step is running. Absent if it has not started.
    pub milliseconds: Option<i64>,
    pub output: String,
    pub reason: Option<String>,
}

/// The stream with an event for each change of the run.
const EVENTS: &str = "/api/system/update/events";

/// Message of the page while the server does not respond.
const STALE: &str =
    "The server does not respond right now. It may be restarting. This page updates by itself.";

/// The steps that change the installation that runs.
const CHANGING: &[&str] = &["schema", "switch", "restart", "health"];

#[component]
pub fn Update(
    version: VersionFacts,
    run: Option<RunFacts>,
    run_state: String,
    /// The database is a file, which the update backs up itself.
    is_copied: bool,
) -> impl IntoView {
    let running = run.as_ref().is_some_and(|run| run.status == RunState::Running);
    let can_check = version.can_check;
    // The page of a refused form has the address of the form, so it can't be requested again.
    let is_live = use_context::<Refused>().is_none();
    let news =
        is_live.then(|| view! { <LiveNews class="run-news" stale=STALE run=EVENTS shown=run_state /> });
    view! {
        <section class="admin-section" aria-labelledby="update">
            <h2 id="update">"Update"</h2>
            {(!can_check).then(|| view! { <p>"The operator has switched off the look-up of releases, and so updates."</p> })}
            {(!running && can_check).then(|| view! { <StartUpdate version is_copied /> })}
            {run.map(|run| view! { <Run run /> })}
            {news}
        </section>
    }
}

#[component]
fn Run(run: RunFacts) -> impl IntoView {
    let RunFacts { id, status, from, to, reason, started_at, finished_at, steps, backup_to_restore } = run;
    // A change of the status changes the whole page. The new id makes the script reload it.
    let id = format!("run-{id}-{status:?}");
    let to = to.map_or_else(String::new, |to| format!(" to {to}"));
    // A step that never ran had nothing to roll back.
    let has_changed = steps.iter().any(|step| CHANGING.contains(&&*step.name) && step.milliseconds.is_some());
    let title = match status {
        RunState::Running => "Updating",
        RunState::NothingToDo => "Already up to date",
        RunState::Succeeded => "Updated",
        RunState::RolledBack if has_changed => "Rolled back to the previous version",
        RunState::RolledBack => "Stopped before anything was changed",
        RunState::Failed => "Failed: the rollback failed too",
    };
    let ended = finished_at.map(|at| {
        view! { <time datetime=stamp(at)>{format!("ended {}", date_and_time(at))}</time> }
    });
    let has_ended = status != RunState::Running;
    let (reached, rest): (Vec<_>, Vec<_>) =
        steps.into_iter().partition(|step| !has_ended || step.status != StepState::Pending);
    let rest = match rest.len() {
        0 => None,
        1 => Some("One more step was not reached.".to_owned()),
        steps => Some(format!("{steps} more steps were not reached.")),
    };
    let steps = reached.into_iter().map(|step| view! { <Step step /> }).collect_view();
    view! {
        <div class="run">
            <h3 class="live" id=id>
                {title}
            </h3>
            <p class="facts">
                {format!("From {from}{to}")}
                <time datetime=stamp(started_at)>{format!("started {}", date_and_time(started_at))}</time>
                {ended}
            </p>
            <p class="run-reason live" id="run-reason">
                {reason.as_deref().map(quoted)}
            </p>
            {backup_to_restore.map(|backup| view! { <RestoreBackup backup /> })}
            <ol class="run-steps" role="list">
                {steps}
            </ol>
            {rest.map(|rest| view! { <p class="hint">{rest}</p> })}
        </div>
    }
}

#[component]
fn RestoreBackup(backup: String) -> impl IntoView {
    view! {
        <form class="danger" method="post" action="/admin/restore" novalidate>
            <p>
                "Nothing can be written, and no update can start, until the backup of this update is restored. It has everything up to the moment when writes were closed. The server restarts: pages are slow for some seconds."
            </p>
            <input type="hidden" name=BACKUP.name value=backup />
            <PasswordField field=RESTORE_PASSWORD />
            <button class="button" type="submit">
                "Restore the backup of this update"
            </button>
        </form>
    }
}

#[component]
fn Step(step: StepFacts) -> impl IntoView {
    let StepFacts { name, status, milliseconds, output, reason } = step;
    let id = |part: &str| format!("step-{name}-{part}");
    let (class, state) = match status {
        StepState::Pending => ("step-state live", "pending"),
        StepState::Running => ("step-state running live", "running"),
        StepState::Done => ("step-state done-well live", "done"),
        StepState::Skipped => ("step-state live", "skipped"),
        StepState::Failed => ("step-state failed live", "failed"),
    };
    let took = milliseconds.map(|milliseconds| format!("{} s", milliseconds / 1000));
    view! {
        <li class="run-step">
            <p class="step-head">
                <span class="step-name">{title(&name)}</span>
                <span class=class id=id("state")>
                    {state}
                </span>
                <span class="step-time live" id=id("time")>
                    {took}
                </span>
            </p>
            <p class="step-reason live" id=id("reason")>
                {reason.as_deref().map(quoted)}
            </p>
            <details class="step-output">
                <summary>{format!("Output of “{}”", title(&name))}</summary>
                <pre class="live" id=id("output") tabindex="0">
                    {(!output.is_empty()).then_some(output)}
                </pre>
            </details>
        </li>
    }
}

/// The reason with quotation marks instead of the backquotes around commands and files.
pub fn quoted(reason: &str) -> String {
    let marks = ["“", "”"].into_iter().cycle();
    let (first, rest) = reason.split_once('`').map_or((reason, None), |(first, rest)| (first, Some(rest)));
    let rest = rest.into_iter().flat_map(|rest| rest.split('`'));
    std::iter::once(first.to_owned())
        .chain(rest.zip(marks).map(|(part, mark)| format!("{mark}{part}")))
        .collect()
}

/// Title of a step. A step of `update.toml` has a name of its own.
fn title(name: &str) -> String {
    match name {
        "determine" => "Look up the latest release",
        "fetch" => "Download it",
        "dependencies" => "Install dependencies",
        "data_layer" => "Check the data access layer",
        "build" => "Build it",
        "rehearse" => "Test it on a copy",
        "backup" => "Back up the database",
        "schema" => "Migrate the schema",
        "switch" => "Switch over",
        "restart" => "Restart",
        "health" => "Check that it responds",
        own => own,
    }
    .to_owned()
}
