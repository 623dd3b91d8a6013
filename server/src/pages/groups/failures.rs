//! Failed sign-ins of the people of a group as they come, and the button that opens all numbers.

use app::components::live_news::LiveNews;
use app::components::moment::{date_and_time, stamp};
use app::components::name::Name;
use leptos::prelude::*;

use super::facts::PersonEntry;

/// Seconds between two readings of the list.
const EVERY: u32 = 10;

#[component]
pub fn Failures(failing: Vec<PersonEntry>, open_until: Option<i64>, path: String) -> impl IntoView {
    let rows = failing.into_iter().map(|person| {
        let PersonEntry { number, name, failures, locked_until, .. } = person;
        let tries = if failures == 1 { "1 wrong try".to_owned() } else { format!("{failures} wrong tries") };
        let lock = locked_until.map(|at| {
            view! { <span>"Locked until " <time datetime=stamp(at)>{date_and_time(at)}</time></span> }
        });
        view! {
            <li>
                <p class="member-name">
                    <strong>{number}</strong> " " <Name text=name />
                </p>
                <p class="facts"><span>{tries}</span> {lock}</p>
            </li>
        }
    });
    let rows = rows.collect::<Vec<_>>();
    let none = rows.is_empty().then(|| view! { <p>"None within the last 15 minutes."</p> });
    let open = open_until.map(|at| {
        view! {
            <p>
                "All numbers are open until " <time datetime=stamp(at)>{date_and_time(at)}</time>
                ": wrong PINs lock none of them."
            </p>
        }
    });
    view! {
        <section aria-labelledby="failures-title">
            <h2 id="failures-title">"Wrong PINs"</h2>
            <div class="group-failures live" id="failures">
                {open}
                {none}
                <ul class="member-rows" role="list">
                    {rows}
                </ul>
            </div>
            <LiveNews class="hint" stale="Not up to date: the server can’t be reached." every=EVERY />
            <form method="post" action=format!("{path}/open")>
                <p>"Ten wrong PINs lock a number for 15 minutes. A card is never locked."</p>
                <button class="button" type="submit">
                    "Open all numbers for ten minutes"
                </button>
            </form>
        </section>
    }
}
