//! The audit log of the installation.

use app::components::moment::{date_and_time, stamp};
use leptos::prelude::*;

/// An entry of the audit log.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AuditLine {
    pub at: i64,
    /// Absent if the action was taken from the shell of the server.
    pub actor: Option<String>,
    /// The action, as the part of a sentence that follows the actor.
    pub words: String,
}

#[component]
pub fn AuditLog(id: &'static str, title: &'static str, log: Vec<AuditLine>) -> impl IntoView {
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
