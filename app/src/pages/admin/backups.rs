//! Backups of the database: make one, restore one.

use leptos::prelude::*;

use super::password::{PasswordField, password};
use crate::components::field::{Field, SelectField, field_error};
use crate::components::moment::{date_and_time, stamp};
use crate::model::{BackupFacts, SelectOption};

pub(super) const BACKUP: Field = Field::new("backup", "Backup", "Choose a backup of the list.");
pub(super) const RESTORE_PASSWORD: Field = password("restorePassword");

/// `may_choose` is false while a failed update must be undone by its own backup.
#[component]
pub fn Backups(backups: Vec<BackupFacts>, may_choose: bool) -> impl IntoView {
    let none = backups.is_empty().then(|| view! { <p>"No backups yet."</p> });
    let rows = backups.iter().map(|backup| view! { <Backup backup=backup.clone() /> }).collect_view();
    let restore = (may_choose && !backups.is_empty()).then(|| view! { <Restore backups /> });
    view! {
        <section class="admin-section" aria-labelledby="backups">
            <h2 id="backups">"Backups"</h2>
            <p>"Verified copies of the whole database. Each update makes one. The last five are kept, fourteen of those that the schedule makes, and all that were made on the server’s command line."</p>
            {none}
            <ul class="admin-log" role="list">
                {rows}
            </ul>
            <form method="post" action="/admin/backup">
                <button class="button" type="submit">
                    "Back up now"
                </button>
            </form>
            {restore}
        </section>
    }
}

#[component]
fn Backup(backup: BackupFacts) -> impl IntoView {
    let BackupFacts { name, bytes, made_at } = backup;
    view! {
        <li class="backup">
            <time datetime=stamp(made_at)>{date_and_time(made_at)}</time>
            <span class="backup-file">
                <code>{name}</code>
                " "
                {size(bytes)}
            </span>
        </li>
    }
}

#[component]
fn Restore(backups: Vec<BackupFacts>) -> impl IntoView {
    let is_refused = [BACKUP, RESTORE_PASSWORD].iter().any(|field| field_error(field).is_some());
    let option = |backup: BackupFacts| SelectOption {
        value: backup.name,
        label: format!("{} ({})", date_and_time(backup.made_at), size(backup.bytes)),
    };
    let options = backups.into_iter().map(option).collect();
    view! {
        <details class="backup-restore" open=is_refused>
            <summary>"Go back to a backup"</summary>
            <form class="danger" method="post" action="/admin/restore" novalidate>
                <p>
                    "The site returns to its state at that time. Accounts, items and bids since then disappear from the site. They are kept in a new backup, so that you can undo this. The server restarts: pages are slow for some seconds, and users who signed in since then must sign in again."
                </p>
                <SelectField field=BACKUP options />
                <PasswordField field=RESTORE_PASSWORD />
                <button class="button" type="submit">
                    "Restore"
                </button>
            </form>
        </details>
    }
}

fn size(bytes: u64) -> String {
    match bytes {
        0..1_000_000 => format!("{} kB", bytes.div_ceil(1000)),
        _ => format!("{} MB", bytes.div_ceil(1_000_000)),
    }
}
