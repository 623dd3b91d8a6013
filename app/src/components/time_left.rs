//! The time left, by the server's clock.

use leptos::prelude::*;

use crate::components::moment::{MINUTE_TO_GO, date_and_time, stamp, time_left};

/// The time left and the end itself. While `open` the end may still move, so that a passed end reads “ending”: only
/// the server closes an item. What was closed before its end has ended, too.
#[component]
pub fn TimeLeft(
    #[prop(into)] ends_at: Signal<i64>,
    #[prop(into)] open: Signal<bool>,
    #[prop(into)] now: Signal<i64>,
) -> impl IntoView {
    let left = move || ends_at.get() - now.get();
    let words = Memo::new(move |_| match time_left(left()) {
        _ if !open.get() => "ended".to_owned(),
        Some(words) => format!("{words} left"),
        None => "ending".to_owned(),
    });
    let is_early = Memo::new(move |_| !open.get() && left() > 0);
    let end = move || (!is_early.get()).then(|| date_and_time(ends_at.get()));
    let near = move || open.get() && (1..=MINUTE_TO_GO).contains(&left());
    view! {
        <time class="time-left" class:near=near datetime=move || stamp(ends_at.get())>
            <span class="time-left-words">{words}</span>
            " "
            <span class="time-left-moment">{end}</span>
        </time>
    }
}
