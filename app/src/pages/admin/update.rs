//! The update: what it will do, the button that starts it, and the run, which stays true while one looks, also across
//! the restart.

use leptos::prelude::*;

use crate::live::mirror::keep_true;

/// What the server tells when the run goes on.
const EVENTS: &str = "/api/system/update/events";

/// Keeps what is marked `live` on the page as the server has it. Where it can't, it says so.
#[island]
pub fn RunNews() -> impl IntoView {
    let unsure = keep_true(EVENTS);
    let words = move || {
        unsure.get().then_some(
            "The server does not answer right now: it may be restarting. This page goes on by itself.",
        )
    };
    view! {
        <p class="run-news" role="status">
            {words}
        </p>
    }
}

#[cfg(feature = "ssr")]
pub use drawn::Update;

#[cfg(feature = "ssr")]
mod drawn {
    use leptos::prelude::*;

    use super::RunNews;
    use crate::components::moment::{date_and_time, stamp};
    use crate::model::{Refused, RunFacts, RunState, StepFacts, StepState, VersionFacts};

    /// What happens, in the order in which it does: one sentence each.
    const STEPS: &[&str] = &[
        "The latest release is asked for. Where this is the latest, nothing is changed.",
        "It is fetched into a folder of its own, built, and tried on a copy of the database, while the site serves.",
        "Then comes a pause of seconds: pages go on, bids are told to wait.",
        "A SQLite database is copied to the folder of backups; a PostgreSQL is yours to back up.",
        "The schema is brought up to date, the new release takes over, and the server restarts.",
        "If the new release does not answer, or anything fails before, everything goes back to where it was. No bid is lost.",
    ];

    #[component]
    pub fn Update(version: VersionFacts, run: Option<RunFacts>) -> impl IntoView {
        let running = run.as_ref().is_some_and(|run| run.status == RunState::Running);
        let latest = version.latest;
        let offer = if version.update_available {
            format!("Update to {latest}")
        } else {
            "Ask for the latest release, and update".to_owned()
        };
        // A page that answers a form is none that could be asked for once more.
        let stays = use_context::<Refused>().is_none().then(|| view! { <RunNews /> });
        let sentences = STEPS.iter().map(|words| view! { <li>{*words}</li> }).collect_view();
        view! {
            <section class="admin-section" aria-labelledby="update">
                <h2 id="update">"Update"</h2>
                {(!running)
                    .then(|| {
                        view! {
                            <p>"What will happen:"</p>
                            <ol class="admin-steps">{sentences}</ol>
                            <form method="post" action="/admin/update">
                                <button class="button primary" type="submit">
                                    {offer}
                                </button>
                            </form>
                        }
                    })}
                {run.map(|run| view! { <Run run /> })}
                {stays}
            </section>
        }
    }

    #[component]
    fn Run(run: RunFacts) -> impl IntoView {
        let RunFacts { id, status, from, to, reason, started_at, finished_at, steps } = run;
        // Another state is another page: it is loaded anew.
        let mark = format!("run-{id}-{status:?}");
        let to = to.map_or_else(String::new, |to| format!(" to {to}"));
        let title = match status {
            RunState::Running => "Updating",
            RunState::NothingToDo => "There was nothing to be done",
            RunState::Succeeded => "Updated",
            RunState::RolledBack => "Rolled back: everything is as it was",
            RunState::Failed => "Failed: the way back failed as well",
        };
        let ended = finished_at.map(|at| {
            view! { <time datetime=stamp(at)>{format!("ended {}", date_and_time(at))}</time> }
        });
        let has_ended = status != RunState::Running;
        let steps = steps.into_iter().map(|step| view! { <Step step has_ended /> }).collect_view();
        view! {
            <div class="run">
                <h3 class="live" id=mark>
                    {title}
                </h3>
                <p class="facts">
                    {format!("From {from}{to}")}
                    <time datetime=stamp(started_at)>{format!("begun {}", date_and_time(started_at))}</time>
                    {ended}
                </p>
                <p class="run-reason live" id="run-reason">
                    {reason.as_deref().map(quoted)}
                </p>
                <ol class="run-steps" role="list">
                    {steps}
                </ol>
            </div>
        }
    }

    #[component]
    fn Step(
        step: StepFacts,
        /// The whole run: a step that has not begun by then never does.
        has_ended: bool,
    ) -> impl IntoView {
        let StepFacts { name, status, milliseconds, output, reason } = step;
        let id = |part: &str| format!("step-{name}-{part}");
        let (class, state) = match status {
            StepState::Pending if has_ended => ("step-state live", "not reached"),
            StepState::Pending => ("step-state live", "to come"),
            StepState::Running => ("step-state running live", "running"),
            StepState::Done => ("step-state done-well live", "done"),
            StepState::Skipped => ("step-state live", "skipped"),
            StepState::Failed => ("step-state failed live", "failed"),
        };
        let took = milliseconds.map(|milliseconds| format!("{} s", milliseconds / 1000));
        view! {
            <li class="run-step">
                <p class="step-head">
                    <span class="step-name">{words(&name)}</span>
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
                    <summary>{format!("Output of “{}”", words(&name))}</summary>
                    <pre class="live" id=id("output") tabindex="0">
                        {(!output.is_empty()).then_some(output)}
                    </pre>
                </details>
            </li>
        }
    }

    /// Commands and files stand in backquotes where they are read as plain text.
    fn quoted(reason: &str) -> String {
        let marks = ["“", "”"].into_iter().cycle();
        let (first, rest) =
            reason.split_once('`').map_or((reason, None), |(first, rest)| (first, Some(rest)));
        let rest = rest.into_iter().flat_map(|rest| rest.split('`'));
        std::iter::once(first.to_owned())
            .chain(rest.zip(marks).map(|(part, mark)| format!("{mark}{part}")))
            .collect()
    }

    /// A step in words; one of `update.toml` has its own name.
    fn words(name: &str) -> String {
        match name {
            "determine" => "Ask for the latest release",
            "fetch" => "Fetch it",
            "dependencies" => "Install dependencies",
            "data_layer" => "Check the data access layer",
            "build" => "Build it",
            "rehearse" => "Try it on a copy",
            "backup" => "Back up the database",
            "schema" => "Bring the schema up to date",
            "switch" => "Switch over",
            "restart" => "Restart",
            "health" => "See whether it answers",
            own => own,
        }
        .to_owned()
    }
}
