//! The subjects of the administration, each with what is in force in words.

use app::components::subjects::Subject;
use app::model::RunState;

use super::backups::last_backup;
use super::show::view::Administration;
use super::update::RunFacts;

pub fn subjects(of: &Administration) -> Vec<Subject> {
    let version = &of.version;
    let latest = match (version.update_available, version.is_latest_known) {
        (true, _) => format!("{} runs, and {} is out.", version.current, version.latest),
        (false, true) => format!("{} runs, the latest.", version.current),
        (false, false) => format!("{} runs. The latest is not known.", version.current),
    };
    let checks = if of.auto_check_updates {
        "New ones are looked up by themselves."
    } else {
        "Looked up when you ask."
    };
    let second_factor = match (of.has_second_factor, of.needs_second_factor) {
        (_, true) => "The Deployment Admin needs one.",
        (true, false) => "You have one; the role does not need it.",
        (false, false) => "You have none; the role does not need it.",
    };
    let registration = of.settings.first().map(|setting| setting.words.clone()).unwrap_or_default();
    let mut subjects = vec![
        Subject::new("settings", "Settings in force", registration),
        Subject::new("version", "Version", format!("{latest} {checks}")).with_forms(&["checks", "look-up"]),
        Subject::new("update", "Update", update(of.run.as_ref())),
    ];
    subjects.extend(of.previous.as_ref().map(|version| {
        Subject::new("previous", "Previous release", format!("{version} is kept.")).with_forms(&["rollback"])
    }));
    subjects.extend([
        Subject::new("backups", "Backups", last_backup(&of.backups)).with_forms(&["backup", "restore"]),
        Subject::new("second-factor", "Second factor", second_factor),
        Subject::new("transfer", "Transfer the role", "Make another user the Deployment Admin."),
        Subject::new("log", "Audit log", "What was done in the administration."),
        Subject::new("log-of-people", "Sign-ins", "Sign-ins, and what users did with their accounts."),
    ]);
    subjects
}

fn update(run: Option<&RunFacts>) -> String {
    let Some(run) = run else { return "None was made yet.".to_owned() };
    let words = match run.status {
        RunState::Running => "One is under way.",
        RunState::NothingToDo => "The last one found nothing newer.",
        RunState::Succeeded => "The last one succeeded.",
        RunState::RolledBack => "The last one was rolled back.",
        RunState::Failed => "The last one failed.",
    };
    words.to_owned()
}
