//! Backups of the database: make one, restore one.

use leptos::prelude::*;

use crate::components::field::Field;
use crate::components::moment::{date_and_time, stamp};
use crate::model::BackupFacts;

pub(super) const BACKUP: Field = Field::new("backup", "Backup", "Choose a backup of the list.");

#[component]
pub fn Backups(backups: Vec<BackupFacts>) -> impl IntoView {
    let none = backups.is_empty().then(|| view! { <p>"No backups yet."</p> });
    let rows = backups.into_iter().map(|backup| view! { <Backup backup /> }).collect_view();
    view! {
        <section class="admin-section" aria-labelledby="backups">
            <h2 id="backups">"Backups"</h2>
            <p>"Verified copies of the whole database. Each update makes one. The last five are kept, and all that were made on the server’s command line."</p>
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
                        "The site returns to its state at that time. Accounts, items and bids since then disappear from the site. They are kept in a new backup, so that you can undo this. The server restarts: pages are slow for some seconds, and users who signed in since then must sign in again."
                    </p>
                    <input type="hidden" name=BACKUP.name value=name />
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
