//! Keeps the dashboard up to date while it is open.

use leptos::prelude::*;

use crate::live::follow::Freshness;
use crate::live::refresh::refresh_on_own_events;

/// Refreshes the page with each event of the viewer.
#[island]
pub fn DashboardRefresh() -> impl IntoView {
    let stale = refresh_on_own_events();
    let words = move || stale.get().then_some(Freshness::Stale.in_words());
    view! {
        <p class="hint" role="status">
            {words}
        </p>
    }
}
