//! Backups of the database: make one, download one, restore one.

use app::components::field::{Field, SelectField, field_error};
use app::components::moment::{ago, date_and_time, stamp};
use app::model::SelectOption;
use leptos::prelude::*;

use super::password::{PasswordField, password};
use super::update::quoted;

/// The backups of this installation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Backups {
    /// Newest first.
    pub files: Vec<BackupFacts>,
    /// Whether the machine has the programs that back up this database.
    pub can_back_up: bool,
    /// The database is a file: its backups can be restored on the page.
    pub is_copied: bool,
    pub has_schedule: bool,
    /// When and why the last backup of the schedule failed.
    pub failure: Option<(i64, String)>,
    pub now: i64,
}

/// A backup of the database.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BackupFacts {
    /// File name in the folder of backups.
    pub name: String,
    pub bytes: u64,
    pub made_at: i64,
    /// A copy of a SQLite database, not a dump of PostgreSQL.
    pub is_copy: bool,
}

pub(super) const BACKUP: Field = Field::new("backup", "Backup", "Choose a backup of the list.");
pub(super) const RESTORE_PASSWORD: Field = password("restorePassword");
pub(super) const DOWNLOADED: Field =
    Field::new("downloaded", "Backup to download", "Choose a backup of the list.");
pub(super) const DOWNLOAD_PASSWORD: Field = password("downloadPassword");

/// Backups on the same disk alone are old once they have this age.
pub(super) const OLD: i64 = 7 * 24 * 60 * 60 * 1000;

/// `may_choose` is false while a failed update must be undone by its own backup.
#[component]
pub fn Backups(backups: Backups, may_choose: bool) -> impl IntoView {
    let last = last_backup(&backups);
    let Backups { files, can_back_up, is_copied, has_schedule, failure, now } = backups;
    let age = files.first().map(|newest| now - newest.made_at);
    let is_old = age.is_none_or(|age| age > OLD);
    let advice = (!has_schedule && is_old).then(|| {
        view! { <p class="notice">"Nothing makes backups by itself here. The setting “backup-schedule” makes one each day."</p> }
    });
    let failure = failure.map(|(at, words)| {
        view! {
            <p class="notice">
                "The last scheduled backup, " <time datetime=stamp(at)>{date_and_time(at)}</time> ": "
                {quoted(&words)}
            </p>
        }
    });
    let rows = files.iter().map(|backup| view! { <Backup backup=backup.clone() /> }).collect_view();
    let download = (!files.is_empty()).then(|| view! { <Download backups=files.clone() is_copied /> });
    let restorable: Vec<_> = files.into_iter().filter(|file| is_copied && file.is_copy).collect();
    let restore = (may_choose && !restorable.is_empty()).then(|| view! { <Restore backups=restorable /> });
    let make = if can_back_up {
        view! {
            <form method="post" action="/admin/backup">
                <button class="button" type="submit">
                    "Back up now"
                </button>
            </form>
        }
        .into_any()
    } else {
        view! { <p class="notice">"PostgreSQL is backed up with “pg_dump”, which is not installed on this server. Install the client of PostgreSQL, or back up the database yourself."</p> }
        .into_any()
    };
    view! {
        <section class="admin-section" aria-labelledby="backups">
            <h2 id="backups">"Backups"</h2>
            <p>"Verified copies of the whole database, with the pictures. The last five are kept, fourteen of those that the schedule makes, and all that were made on the server’s command line."</p>
            <p>{last}</p>
            {failure}
            {advice}
            <ul class="admin-log" role="list">
                {rows}
            </ul>
            {make}
            {download}
            {restore}
        </section>
    }
}

/// When the last backup was made.
pub(super) fn last_backup(backups: &Backups) -> String {
    match backups.files.first() {
        Some(newest) => format!("The last backup was made {}.", ago(backups.now - newest.made_at)),
        None => "No backups yet.".to_owned(),
    }
}

#[component]
fn Download(backups: Vec<BackupFacts>, is_copied: bool) -> impl IntoView {
    let program = if is_copied { "farthing restore" } else { "pg_restore" };
    let is_refused = [DOWNLOADED, DOWNLOAD_PASSWORD].iter().any(|field| field_error(field).is_some());
    view! {
        <details class="backup-restore" open=is_refused>
            <summary>"Download a backup"</summary>
            <form class="admin-form" method="post" action="/admin/backup/download" novalidate>
                <p>
                    {format!("The file has everything, also e-mails, hashed passwords and the secrets of second factors. Keep it where nobody else reads it. Unpacked with “tar”, it is a backup that “{program}” takes.")}
                </p>
                <SelectField field=DOWNLOADED options=options(backups) />
                <PasswordField field=DOWNLOAD_PASSWORD />
                <button class="button" type="submit">
                    "Download"
                </button>
            </form>
        </details>
    }
}

fn options(backups: Vec<BackupFacts>) -> Vec<SelectOption> {
    let option = |backup: BackupFacts| SelectOption {
        value: backup.name,
        label: format!("{} ({})", date_and_time(backup.made_at), size(backup.bytes)),
    };
    backups.into_iter().map(option).collect()
}

#[component]
fn Backup(backup: BackupFacts) -> impl IntoView {
    let BackupFacts { name, bytes, made_at, is_copy: _ } = backup;
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
    view! {
        <details class="backup-restore" open=is_refused>
            <summary>"Go back to a backup"</summary>
            <form class="danger" method="post" action="/admin/restore" novalidate>
                <p>
                    "The site returns to its state at that time. Accounts, items and bids since then disappear from the site. They are kept in a new backup, so that you can undo this. The server restarts: pages are slow for some seconds, and users who signed in since then must sign in again."
                </p>
                <SelectField field=BACKUP options=options(backups) />
                <PasswordField field=RESTORE_PASSWORD />
                <button class="button" type="submit">
                    "Restore"
                </button>
            </form>
        </details>
    }
}

/// A size of a file in rounded words.
pub(super) fn size(bytes: u64) -> String {
    match bytes {
        0..1_000_000 => format!("{} kB", bytes.div_ceil(1000)),
        _ => format!("{} MB", bytes.div_ceil(1_000_000)),
    }
}
