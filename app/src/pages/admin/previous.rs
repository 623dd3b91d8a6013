//! The return to the release before the current one.

use leptos::prelude::*;

#[component]
pub fn Previous(version: String) -> impl IntoView {
    view! {
        <section class="admin-section" aria-labelledby="previous">
            <h2 id="previous">"Previous release"</h2>
            <details class="backup-restore">
                <summary>{format!("Return to {version}")}</summary>
                <form class="danger" method="post" action="/admin/rollback">
                    <p>
                        "The server restarts with the release that ran before. Accounts, items and bids stay as they are. If that release does not answer, the current one returns."
                    </p>
                    <button class="button" type="submit">
                        {format!("Return to {version}")}
                    </button>
                </form>
            </details>
        </section>
    }
}
