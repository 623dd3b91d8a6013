//! The audit log of the installation.

use app::components::moment::{date_and_time, stamp};
use app::model::AuditEntry;
use leptos::prelude::*;

#[component]
pub fn AuditLog(id: &'static str, title: &'static str, log: Vec<AuditEntry>) -> impl IntoView {
    let rows = log.into_iter().map(|entry| {
        let actor = entry.actor.unwrap_or_else(|| "The server’s administrator".to_owned());
        view! {
            <li>
                <time datetime=stamp(entry.at)>{date_and_time(entry.at)}</time>
                <span>{actor} " " {entry.words}</span>
            </li>
        }
    });
    view! {
        <section class="admin-section" aria-labelledby=id>
            <h2 id=id>{title}</h2>
            <ul class="admin-log" role="list">
                {rows.collect_view()}
            </ul>
        </section>
    }
}
