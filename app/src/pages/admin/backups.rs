//! Copies of the database: made here, and gone back to.

use leptos::prelude::*;

use crate::components::moment::{date_and_time, stamp};
use crate::model::BackupFacts;

#[component]
pub fn Backups(backups: Vec<BackupFacts>) -> impl IntoView {
    let none = backups.is_empty().then(|| view! { <p>"There is none yet."</p> });
    let rows = backups.into_iter().map(|backup| view! { <Backup backup /> }).collect_view();
    view! {
        <section class="admin-section" aria-labelledby="backups">
            <h2 id="backups">"Backups"</h2>
            <p>"Copies of the whole database, checked. Each update makes one; the last five stay."</p>
            {none}
            <ul class="admin-log" role="list">
                {rows}
            </ul>
            <form method="post" action="/admin/backup">
                <button class="button" type="submit">
                    "Back up now"
                </button>
            </form>
        </section>
    }
}

#[component]
fn Backup(backup: BackupFacts) -> impl IntoView {
    let BackupFacts { name, bytes, made_at } = backup;
    let when = date_and_time(made_at);
    view! {
        <li class="backup">
            <time datetime=stamp(made_at)>{when.clone()}</time>
            <span class="backup-file">
                <code>{name.clone()}</code>
                " "
                {size(bytes)}
            </span>
            <details class="backup-restore">
                <summary>{format!("Go back to {when}")}</summary>
                <form class="danger" method="post" action="/admin/restore">
                    <p>
                        "Everything becomes as it was then. What was registered, offered and bid since is gone from the site, and becomes a backup itself, so that you can go forward again. The server restarts: for some seconds pages take longer, and whoever has signed in since signs in again."
                    </p>
                    <input type="hidden" name="backup" value=name />
                    <button class="button" type="submit">
                        {format!("Restore {when}")}
                    </button>
                </form>
            </details>
        </li>
    }
}

fn size(bytes: u64) -> String {
    match bytes {
        0..1_000_000 => format!("{} kB", bytes.div_ceil(1000)),
        _ => format!("{} MB", bytes.div_ceil(1_000_000)),
    }
}
