//! The time left, by the server's clock.

use leptos::prelude::*;

use crate::components::moment::{MINUTE_TO_GO, date_and_time, stamp, time_left};

/// The time left and the end itself. While `open` the end may still move, so that a passed end reads
/// “Ending”: only the server closes an item. What was closed before its end has ended, too.
#[component]
pub fn TimeLeft(
    #[prop(into)] ends_at: Signal<i64>,
    #[prop(into)] open: Signal<bool>,
    #[prop(into)] now: Signal<i64>,
) -> impl IntoView {
    let left = move || ends_at.get() - now.get();
    let words = Signal::derive(move || match time_left(left()) {
        _ if !open.get() => "Ended".to_owned(),
        Some(words) => format!("{words} left"),
        None => "Ending".to_owned(),
    });
    let ended_early = move || !open.get() && left() > 0;
    let end =
        Signal::derive(move || if ended_early() { String::new() } else { date_and_time(ends_at.get()) });
    let stamp = Signal::derive(move || stamp(ends_at.get()));
    let near = Signal::derive(move || open.get() && (1..=MINUTE_TO_GO).contains(&left()));
    view! {
        <time class="time-left" class:near=near datetime=stamp>
            <span class="time-left-words">{words}</span>
            " "
            <span class="time-left-moment">{end}</span>
        </time>
    }
}
