//! A countdown as an island of its own.

use leptos::prelude::*;

use crate::components::time_left::TimeLeft;
use crate::live::clock;

/// A countdown on a page without other islands. `now` is the server's clock when the page was rendered.
#[island]
pub fn Countdown(ends_at: i64, now: i64) -> impl IntoView {
    let now = clock::running(now);
    let open = Signal::derive(move || now.get() < ends_at);
    view! { <TimeLeft ends_at=Signal::stored(ends_at) open now /> }
}
