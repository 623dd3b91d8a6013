//! Whether everything is fine: version, disk, mail, the last backup, and pictures if they need a look,
//! each in one sentence.

use app::components::moment::ago;
use leptos::prelude::*;

use super::backups::{Backups, OLD, size};
use super::show::view::Administration;
use super::version::VersionFacts;

/// Free bytes below which a disk is soon full.
const LITTLE_DISK: u64 = 2_000_000_000;
/// Free bytes below which an update or a backup may fail.
const NO_DISK: u64 = 300_000_000;

/// A light.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Light {
    Good,
    Look,
    Act,
}

impl Light {
    /// Its class, its sign and its word: colour alone says nothing.
    const fn shown(self) -> (&'static str, &'static str, &'static str) {
        match self {
            Self::Good => ("light good", "✓", "Fine"),
            Self::Look => ("light look", "!", "Have a look"),
            Self::Act => ("light act", "✕", "Act now"),
        }
    }
}

/// The lights, and what they come to.
#[component]
pub(super) fn Health(of: Administration) -> impl IntoView {
    let lights = lights(&of);
    let worst = lights.iter().map(|(_, light, _)| *light).max().unwrap_or(Light::Good);
    let title = match worst {
        Light::Good => "Everything is fine",
        Light::Look => "It runs, and something is worth a look",
        Light::Act => "Something needs you",
    };
    let rows = lights.into_iter().map(|(subject, light, words)| {
        let (class, sign, said) = light.shown();
        view! {
            <li>
                <span class=class aria-hidden="true">{sign}</span>
                <strong>{subject}</strong>
                <span class="visually-hidden">{format!("{said}: ")}</span>
                <span>{words}</span>
            </li>
        }
    });
    view! {
        <section class="admin-section" aria-labelledby="health">
            <h2 id="health">{title}</h2>
            <ul class="lights" role="list">{rows.collect_view()}</ul>
        </section>
    }
}

fn lights(of: &Administration) -> Vec<(&'static str, Light, String)> {
    let (version, version_words) = version(&of.version);
    let (disk, disk_words) = disk(of.free_disk);
    let (backup, backup_words) = backup(&of.backups);
    let mail = if of.sends_mail {
        (Light::Good, "Mails are sent.")
    } else {
        (Light::Look, "No mail is set up: nobody gets one, and a lost password needs a link from you.")
    };
    let mut lights = vec![
        ("Version", version, version_words),
        ("Backup", backup, backup_words),
        ("Disk", disk, disk_words),
        ("Mail", mail.0, mail.1.to_owned()),
    ];
    lights.extend(of.pictures.clone().map(|words| ("Pictures", Light::Look, words)));
    lights
}

fn version(version: &VersionFacts) -> (Light, String) {
    let VersionFacts { current, latest, .. } = version;
    match (version.update_available, version.is_latest_known) {
        (true, _) => (Light::Look, format!("{current} runs, and {latest} is out.")),
        (false, true) => (Light::Good, format!("{current} runs, the latest.")),
        (false, false) => (Light::Look, format!("{current} runs. The latest is not known.")),
    }
}

fn disk(free: Option<u64>) -> (Light, String) {
    match free {
        None => (Light::Look, "The free space is not known.".to_owned()),
        Some(free @ ..NO_DISK) => (Light::Act, format!("Only {} are free: make room.", size(free))),
        Some(free @ ..LITTLE_DISK) => (Light::Look, format!("{} are free.", size(free))),
        Some(free) => (Light::Good, format!("{} GB are free.", free / 1_000_000_000)),
    }
}

fn backup(backups: &Backups) -> (Light, String) {
    let age = backups.files.first().map(|newest| backups.now - newest.made_at);
    let failed = backups
        .failure
        .as_ref()
        .is_some_and(|(at, _)| backups.files.first().is_none_or(|newest| newest.made_at < *at));
    match age {
        _ if failed => (Light::Act, "The last scheduled backup failed.".to_owned()),
        None => (Light::Act, "There is none yet.".to_owned()),
        Some(age) if age > OLD => (Light::Act, format!("The last one was made {}.", ago(age))),
        Some(age) if !backups.has_schedule => {
            (Light::Look, format!("The last one was made {}. None is made by itself.", ago(age)))
        }
        Some(age) => (Light::Good, format!("The last one was made {}.", ago(age))),
    }
}

#[cfg(test)]
mod tests {
    use super::{Light, backup, disk};
    use crate::pages::admin::backups::BackupFacts;
    use crate::pages::admin::backups::Backups;

    fn backups(age: Option<i64>, has_schedule: bool, failed_at: Option<i64>) -> Light {
        let now = 100 * 24 * 60 * 60 * 1000;
        let file = |age| BackupFacts { name: "b".to_owned(), bytes: 1, made_at: now - age, is_copy: true };
        let files = age.map(file).into_iter().collect();
        let failure = failed_at.map(|at| (now - at, "it broke".to_owned()));
        backup(&Backups { files, can_back_up: true, is_copied: true, has_schedule, failure, now }).0
    }

    #[test]
    fn a_backup_that_is_missing_old_or_failed_is_red() {
        const DAY: i64 = 24 * 60 * 60 * 1000;
        assert_eq!(backups(None, true, None), Light::Act);
        assert_eq!(backups(Some(8 * DAY), true, None), Light::Act);
        assert_eq!(backups(Some(DAY), true, Some(DAY / 2)), Light::Act);
        assert_eq!(backups(Some(DAY / 2), true, Some(DAY)), Light::Good, "a later one succeeded");
        assert_eq!(backups(Some(DAY), false, None), Light::Look);
        assert_eq!(backups(Some(DAY), true, None), Light::Good);
    }

    #[test]
    fn a_disk_is_red_before_a_backup_fails() {
        for (free, light) in
            [(Some(1_000), Light::Act), (Some(1_000_000_000), Light::Look), (None, Light::Look)]
        {
            assert_eq!(disk(free).0, light);
        }
        assert_eq!(disk(Some(50_000_000_000)), (Light::Good, "50 GB are free.".to_owned()));
    }
}
