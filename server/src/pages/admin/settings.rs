//! The operator's settings in force, in words.

use installation::config::{RegistrationPolicy, Settings, Switch};
use leptos::prelude::*;
use platform::file_store::StoreLocation;

/// A setting of the operator, in words.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SettingInForce {
    subject: &'static str,
    pub words: String,
    /// Its name in the file of settings.
    name: &'static str,
}

/// The settings that people ask about. The first is that of registration.
pub fn in_force(settings: &Settings) -> Vec<SettingInForce> {
    let of = |subject, words: String, name| SettingInForce { subject, words, name };
    let registration = match settings.registration {
        RegistrationPolicy::Open => "Anyone may register.",
        RegistrationPolicy::Invited => {
            "Only people who have an invitation or the link of an auction may register."
        }
        RegistrationPolicy::Closed => "Nobody may register.",
    };
    let address = match &settings.public_url {
        Some(url) => url.as_str().to_owned(),
        None => "Not set: links have the address with which a page was asked for.".to_owned(),
    };
    let mail = match (&settings.smtp_url, &settings.mail_from) {
        (Some(_), Some(from)) => format!("Mails are sent by {from}."),
        _ => "No mails are sent.".to_owned(),
    };
    let backups = match &settings.backup_schedule {
        Some(_) => "One is made each day.",
        None => "None is made by itself.",
    };
    let database = match settings.database_url.split(':').next() {
        Some("sqlite") => "A file on this server (SQLite).",
        _ => "A PostgreSQL server.",
    };
    let pictures = match &settings.images {
        Some(StoreLocation::Bucket(_)) => "In a bucket.",
        Some(StoreLocation::Folder(_)) | None => "In a folder of this server.",
    };
    let limits = match settings.rate_limits {
        Switch::On => "Guesses of passwords, and bursts of requests, are limited.",
        Switch::Off => "Off: guesses of passwords are not limited. For tests only.",
    };
    vec![
        of("Who may register", registration.to_owned(), "registration"),
        of("Address of the site", address, "public-url"),
        of("Mail", mail, "smtp-url, mail-from"),
        of("Backups", backups.to_owned(), "backup-schedule"),
        of("Database", database.to_owned(), "database-url"),
        of("Pictures", pictures.to_owned(), "images"),
        of("Limits", limits.to_owned(), "rate-limits"),
    ]
}

#[component]
pub fn SettingsInForce(settings: Vec<SettingInForce>) -> impl IntoView {
    let names = settings.iter().map(|setting| {
        view! { <li>{setting.subject} ": " <code>{setting.name}</code></li> }
    });
    let names = names.collect::<Vec<_>>();
    let rows = settings.into_iter().map(|SettingInForce { subject, words, .. }| {
        view! {
            <div>
                <dt>{subject}</dt>
                <dd>{words}</dd>
            </div>
        }
    });
    view! {
        <section class="admin-section" aria-labelledby="settings">
            <h2 id="settings">"Settings in force"</h2>
            <p>"The operator of the server chooses them; they take effect at the next start."</p>
            <dl class="admin-facts">{rows.collect::<Vec<_>>()}</dl>
            <details>
                <summary>"Where to change them"</summary>
                <p>"In the file farthing.toml, by these names, or as flags or variables of the server."</p>
                <ul>{names}</ul>
            </details>
        </section>
    }
}
