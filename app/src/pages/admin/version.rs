//! The running version, the latest release, and the setting for automatic checks.

use leptos::prelude::*;

use crate::model::VersionFacts;

#[component]
pub fn Version(version: VersionFacts, auto_check_updates: bool) -> impl IntoView {
    let VersionFacts { current, latest, update_available, release_url, check_error } = version;
    let status = if update_available {
        "There is a newer release. Only the latest one is supported.".to_owned()
    } else {
        match check_error {
            Some(why) => format!("The last check for a newer release failed: {why}."),
            None => "This is the latest release.".to_owned(),
        }
    };
    let notes = release_url.map(|url| {
        view! {
            <a href=url rel="noreferrer">
                "Release notes"
            </a>
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
                    <dd>{latest} " " {notes}</dd>
                </div>
            </dl>
            <p>{status}</p>
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
                        "At most once an hour. If switched off, new releases are checked for only when you start an update."
                    </p>
                </div>
                <button class="button" type="submit">
                    "Save"
                </button>
            </form>
        </section>
    }
}
