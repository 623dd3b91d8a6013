//! The server's clock, as far as the browser can know it.

use std::time::Duration;

use leptos::prelude::*;

use crate::live::browser;

/// Begins at `now`, the server's clock when the page was made. On a page that is awake it runs on: by the
/// browser's clock, from the difference between the two, so that a wrong clock shows the right time left.
pub fn running(now: i64) -> RwSignal<i64> {
    let moment = RwSignal::new(now);
    Effect::new(move |_| {
        // The page has been here since the browser asked for it.
        let difference = now + browser::since_navigation() - browser::clock();
        let tick = move || moment.set(browser::clock() + difference);
        tick();
        set_interval(tick, Duration::from_secs(1));
    });
    moment
}
