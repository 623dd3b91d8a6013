//! The return to the release before the current one.

use app::components::field::{Field, field_error};
use leptos::prelude::*;

use super::password::{PasswordField, password};

pub(super) const ROLLBACK_PASSWORD: Field = password("rollbackPassword");

#[component]
pub fn Previous(version: String) -> impl IntoView {
    let is_refused = field_error(&ROLLBACK_PASSWORD).is_some();
    view! {
        <section class="admin-section" aria-labelledby="previous">
            <h2 id="previous">"Previous release"</h2>
            <details class="backup-restore" open=is_refused>
                <summary>{format!("Return to {version}")}</summary>
                <form class="danger" method="post" action="/admin/rollback" novalidate>
                    <p>
                        "The server restarts with the release that ran before. Accounts, items and bids stay as they are. If that release does not answer, the current one returns."
                    </p>
                    <PasswordField field=ROLLBACK_PASSWORD />
                    <button class="button" type="submit">
                        {format!("Return to {version}")}
                    </button>
                </form>
            </details>
        </section>
    }
}
