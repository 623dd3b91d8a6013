//! The server's clock, estimated in the browser.

use std::time::Duration;

use leptos::prelude::*;

use crate::live::browser;

/// Starts at `now`, the server's clock when the page was rendered. On a hydrated page it ticks by the
/// browser's clock plus the difference between the two, so that a wrong browser clock still shows the right
/// time left.
pub fn running(now: i64) -> RwSignal<i64> {
    let moment = RwSignal::new(now);
    Effect::new(move |_| {
        // The server rendered the page at about the time of the navigation.
        let difference = now + browser::since_navigation() - browser::clock();
        let tick = move || moment.set(browser::clock() + difference);
        tick();
        set_interval(tick, Duration::from_secs(1));
    });
    moment
}
