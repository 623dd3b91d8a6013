//! The running version, the latest release, and the setting for automatic checks.

use leptos::prelude::*;

use crate::components::moment::{date_and_time, stamp};
use crate::components::prose::Prose;
use crate::model::VersionFacts;
use crate::pages::admin::update::quoted;

#[component]
pub fn Version(version: VersionFacts, auto_check_updates: bool) -> impl IntoView {
    let VersionFacts {
        current,
        latest,
        update_available,
        release_url,
        check_error,
        check_detail,
        is_latest_known,
        checked_at,
        can_check,
        other_servers,
        notes,
        ..
    } = version;
    let status = match (update_available, is_latest_known, check_error) {
        (true, ..) => "There is a newer release. Only the latest one is supported.".to_owned(),
        (false, true, None) => "This is the latest release.".to_owned(),
        (false, true, Some(why)) => format!("As far as known, this is the latest release: {}.", quoted(&why)),
        (false, false, why) => {
            format!("Can’t tell whether there is a newer release: {}.", quoted(&why.unwrap_or_default()))
        }
    };
    let others = other_servers.into_iter().map(|(host, version)| {
        view! {
            <p class="notice">
                {format!("The server “{host}” of the same database runs {version}. Update the older one, too: each server is updated by itself.")}
            </p>
        }
    });
    let others = others.collect_view();
    let checked = checked_at.map(|at| {
        view! {
            <div>
                <dt>"Last check"</dt>
                <dd>
                    <time datetime=stamp(at)>{date_and_time(at)}</time>
                </dd>
            </div>
        }
    });
    let check = can_check.then(|| {
        view! {
            <form method="post" action="/admin/look-up">
                <button class="button" type="submit">
                    "Check now"
                </button>
            </form>
        }
    });
    let link = release_url.map(|url| {
        view! {
            <a href=url rel="noreferrer">
                "Release notes"
            </a>
        }
    });
    let summary = format!("What {latest} says of itself");
    let notes = (!notes.html().is_empty()).then(|| {
        view! {
            <details class="release-notes" open=update_available>
                <summary>{summary}</summary>
                <Prose text=notes />
            </details>
        }
    });
    view! {
        <section class="admin-section" aria-labelledby="version">
            <h2 id="version">"Version"</h2>
            <dl class="admin-facts">
                <div>
                    <dt>"Running"</dt>
                    <dd>{current}</dd>
                </div>
                <div>
                    <dt>"Latest"</dt>
                    <dd>{if is_latest_known { latest } else { "Not known".to_owned() }} " " {link}</dd>
                </div>
                {checked}
            </dl>
            {others}
            <p>{status}</p>
            {notes}
            {check_detail.map(|detail| view! { <p>{quoted(&detail)}</p> })}
            {check}
            <form class="admin-form" method="post" action="/admin/checks">
                <div class="field choice">
                    <input
                        id="field-autoCheckUpdates"
                        name="autoCheckUpdates"
                        type="checkbox"
                        value="true"
                        checked=auto_check_updates
                        aria-describedby="field-autoCheckUpdates-hint"
                    />
                    <label for="field-autoCheckUpdates">"Automatic update checks"</label>
                    <p class="hint" id="field-autoCheckUpdates-hint">
                        "At most once an hour. If switched off, new releases are checked for only when you ask for it or start an update."
                    </p>
                </div>
                <button class="button" type="submit">
                    "Save"
                </button>
            </form>
        </section>
    }
}
