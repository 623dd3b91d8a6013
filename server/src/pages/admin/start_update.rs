//! The start of an update: what it needs, what it does, and the button.

use app::components::field::{CheckField, Field};
use app::model::Refused;
use leptos::either::Either;
use leptos::prelude::*;

use super::backups::size;
use super::password::{PasswordField, password};
use super::update::quoted;
use super::version::{UpdateSource, VersionFacts};

pub(super) const UPDATE_PASSWORD: Field = password("updatePassword");

/// Says what an update needs and does, and has the button that starts it; or why there can be none.
#[component]
pub(super) fn StartUpdate(
    version: VersionFacts,
    /// The database is a file, which the update backs up itself.
    is_copied: bool,
) -> impl IntoView {
    let VersionFacts { latest, update_available, source, obstacle, last_update_seconds, .. } = version;
    let offer = if update_available { format!("Update to {latest}") } else { "Check and update".to_owned() };
    // The errors of a form that was sent all the same stand beside its fields.
    if let Some(reason) = obstacle.filter(|_| use_context::<Refused>().is_none()) {
        let words = format!("Farthing can’t update itself here: {}.", quoted(&reason));
        return Either::Left(view! {
            {update_available
                .then(|| {
                    view! {
                        <p>
                            {format!("Farthing {latest} is available. ")} <a href="/admin?subject=version">"What is new"</a>
                        </p>
                    }
                })}
            <p class="notice">{words}</p>
        });
    }
    let last = last_update_seconds.map(|seconds| format!("The last update took {}.", duration(seconds)));
    let sentences =
        steps(source, is_copied).into_iter().map(|words| view! { <li>{words}</li> }).collect_view();
    Either::Right(view! {
        {last.map(|last| view! { <p>{last}</p> })}
        {update_available.then(|| view! { <p><a href="/admin?subject=version">"What is new"</a></p> })}
        {(!is_copied)
            .then(|| {
                view! {
                    <p class="notice">
                        "The update itself makes no backup of a PostgreSQL database. Press “Back up now” under Backups first."
                    </p>
                }
            })}
        <details>
            <summary>"What it needs, and what will happen"</summary>
            <p id="update-needs">{needs(source)}</p>
            <ol class="admin-steps">{sentences}</ol>
        </details>
        <form class="admin-form" method="post" action="/admin/update" novalidate>
            {(!update_available)
                .then(|| {
                    view! {
                        <CheckField
                            name="confirmed"
                            label="Update, whatever the latest release is"
                            hint="No newer release is known. “Check now” looks it up first, and changes nothing."
                            checked=false
                        />
                    }
                })}
            <PasswordField field=UPDATE_PASSWORD />
            <button class="button primary" type="submit">
                {offer}
            </button>
        </form>
    })
}

/// Says in sentences what an update needs.
fn needs(source: UpdateSource) -> String {
    match source {
        UpdateSource::Compiled { disk_mb } => format!(
            "This server takes each release as source code and compiles it. That needs a Rust toolchain, a C compiler, \
             2.5 GB of free memory and {} GB of free disk, and takes up to half an hour.",
            disk_mb.div_ceil(1024)
        ),
        UpdateSource::OwnBuild => {
            "This server takes each release as source code and builds it with the operator’s own command."
                .to_owned()
        }
        UpdateSource::Archive { bytes } => {
            let size = bytes.map_or_else(String::new, |bytes| format!(" of {}", size(bytes)));
            format!(
                "This server downloads each release ready to run and needs no compiler: a download{size}, about 300 MB of \
                 free disk, and a few minutes."
            )
        }
    }
}

/// The steps of an update, one sentence each.
fn steps(source: UpdateSource, is_copied: bool) -> [&'static str; 6] {
    let prepared = match source {
        UpdateSource::Compiled { .. } => {
            "It downloads the release to a new folder, compiles it and tests it on a copy of the database. The site stays available."
        }
        UpdateSource::OwnBuild => {
            "It downloads the release to a new folder, builds it and tests it on a copy of the database. The site stays available."
        }
        UpdateSource::Archive { .. } => {
            "It downloads the release to a new folder, checks its signature and tests it on a copy of the database. The site stays available."
        }
    };
    let backup = if is_copied {
        "The database is backed up."
    } else {
        "The update makes no backup of the database: “Back up now” makes one before."
    };
    [
        "Farthing looks up the latest release. If this version is the latest, nothing changes.",
        prepared,
        "Then bidding pauses for some seconds: pages still load, and bids are asked to retry.",
        backup,
        "The database is brought up to date, the new release takes over, and the server restarts.",
        "If any step fails or the new release does not respond, the update is rolled back. No bid is lost.",
    ]
}

/// A length of time in rounded words.
fn duration(seconds: i64) -> String {
    match seconds {
        ..=1 => "a second".to_owned(),
        2..=90 => format!("{seconds} seconds"),
        _ => format!("{} minutes", seconds.saturating_add(30) / 60),
    }
}
