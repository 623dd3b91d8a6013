//! What was done to the installation.

use leptos::prelude::*;

use crate::components::moment::{date_and_time, stamp};
use crate::model::Deed;

#[component]
pub fn Log(log: Vec<Deed>) -> impl IntoView {
    let rows = log.into_iter().map(|deed| {
        let actor = deed.actor.unwrap_or_else(|| "The owner of the machine".to_owned());
        view! {
            <li>
                <time datetime=stamp(deed.at)>{date_and_time(deed.at)}</time>
                <span>{actor} " " {deed.words}</span>
            </li>
        }
    });
    view! {
        <section class="admin-section" aria-labelledby="log">
            <h2 id="log">"What was done"</h2>
            <ul class="admin-log" role="list">
                {rows.collect_view()}
            </ul>
        </section>
    }
}
