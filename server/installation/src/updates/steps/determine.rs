use super::{CURRENT, Outcome, RELEASES, StepError};
use crate::config::environment_of_commands;
use crate::releases::{self, Source};
use crate::updates::disk;
use crate::updates::git::Checkout;
use crate::updates::journal::RunDatabase;
use crate::updates::run::Update;

/// Room for a release that is not built from source here.
const RELEASE_BYTES: u64 = 256 << 20;

/// Asks for the latest release, afresh, and whether it can be installed here.
pub(super) async fn determine(update: &mut Update) -> Result<Outcome, StepError> {
    if let Some(refused) = &update.refused {
        return Err(StepError::because(refused));
    }
    let release = releases::latest(&Source::of(&update.settings)).await.map_err(StepError::because)?;
    let install_dir = update.settings.install_dir.clone();
    let link = std::path::Path::new(RELEASES).join(release.tag.as_str());
    // Switched to it already, it only waits for a start.
    let waits = std::fs::read_link(install_dir.join(CURRENT)).is_ok_and(|current| current == link);
    update.recorder.journal.run.to_version = Some(release.tag.version().to_string());
    update.recorder.say(&format!("{} runs, the latest release is {}", update.from, release.tag)).await;
    if *release.tag.version() <= update.from || waits {
        return Err(StepError::NothingToDo);
    }
    let checkout =
        Checkout::open(&install_dir, environment_of_commands()).await.map_err(StepError::because)?;
    has_room(update)?;
    update.recorder.journal.way.release = Some(install_dir.join(link));
    (update.release, update.checkout) = (Some(release), Some(checkout));
    Ok(Outcome::Done)
}

fn has_room(update: &Update) -> Result<(), StepError> {
    let built = match update.config.steps.build {
        Some(_) => RELEASE_BYTES,
        None => update.config.limits.build_disk_mb << 20,
    };
    let size = match &update.recorder.journal.way.database {
        RunDatabase::Sqlite { path } => std::fs::metadata(path).map_or(0, |data| data.len()),
        RunDatabase::Postgres => 0,
    };
    let mut needs = vec![
        // With the backup.
        (update.settings.install_dir.as_path(), built.saturating_add(size)),
        // For the rehearsal.
        (update.settings.data_dir.as_path(), size),
    ];
    if let RunDatabase::Sqlite { path } = &update.recorder.journal.way.database
        && let Some(folder) = path.parent()
    {
        // For the way back, which is written to the log first.
        needs.push((folder, size.saturating_mul(2)));
    }
    disk::has_room(&needs).map_err(StepError::because)
}
