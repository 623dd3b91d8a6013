//! Keeps the dashboard up to date while it is open.

use leptos::prelude::*;

use crate::live::follow::Freshness;
use crate::live::refresh::refresh_on_events;

/// Refreshes the page with each notification of the viewer. `after` is the id of the last one when the page was read.
#[island]
pub fn DashboardRefresh(after: Option<String>) -> impl IntoView {
    let query = after.map(|after| format!("?after={after}")).unwrap_or_default();
    let stale = refresh_on_events(format!("/api/user/events{query}"), String::new());
    let words = move || stale.get().then_some(Freshness::Stale.in_words());
    view! {
        <p class="hint" role="status">
            {words}
        </p>
    }
}
