use std::path::Path;

use crate::journal::RunDatabase;
use crate::releases::{self, CheckError, Source};
use crate::updates::archive::ArchiveFiles;
use crate::updates::config::{NO_API, ReleaseSource};
use crate::updates::disk;
use crate::updates::git::Checkout;
use crate::updates::layout::{CURRENT, RELEASES};
use crate::updates::previous;
use crate::updates::run::{Origin, Outcome, RunTarget, StepError, Update};

/// The disk space for a release that is not built from source here.
const RELEASE_BYTES: u64 = 256 << 20;

/// Asks for the latest release and checks whether it can be installed.
pub(super) async fn determine(update: &mut Update) -> Result<Outcome, StepError> {
    if let Some(error) = &update.config_error {
        return Err(StepError::because(error));
    }
    if update.target == RunTarget::Previous {
        return determine_previous(update).await;
    }
    let source = Source::of(&update.settings);
    if update.config.takes_archives() && matches!(source, Source::Git(_)) {
        return Err(StepError::Failed(NO_API.to_owned()));
    }
    let release = match releases::latest(&source).await {
        Err(error @ CheckError::NoRelease) => {
            update.recorder.write_line(&error.to_string()).await;
            return Err(StepError::NothingToDo);
        }
        release => release.map_err(|error| StepError::Failed(error.in_full()))?,
    };
    let install_dir = update.settings.install_dir.clone();
    let link = Path::new(RELEASES).join(release.tag.as_str());
    // An earlier run has switched to it, and it runs after the next start.
    let is_pending = std::fs::read_link(install_dir.join(CURRENT)).is_ok_and(|current| current == link);
    update.recorder.journal.run.to_version = Some(release.tag.version().to_string());
    update.recorder.write_line(&format!("{} runs, the latest release is {}", update.from, release.tag)).await;
    if *release.tag.version() <= update.from || is_pending {
        return Err(StepError::NothingToDo);
    }
    let origin = match update.config.source.clone() {
        ReleaseSource::Git { signers } => {
            let checkout = Checkout::open(&install_dir).await.map_err(StepError::because)?;
            Origin::Git { checkout, signers }
        }
        ReleaseSource::Archive { keys } => {
            let files = ArchiveFiles::of(&release).map_err(StepError::because)?;
            Origin::Archive { files, keys }
        }
    };
    require_space(update, &origin)?;
    update.recorder.journal.rollback.release = Some(install_dir.join(link));
    (update.release, update.origin) = (Some(release), Some(origin));
    Ok(Outcome::Done)
}

/// Finds the installed release to which the run returns.
async fn determine_previous(update: &mut Update) -> Result<Outcome, StepError> {
    let found = previous::find(&update.settings.install_dir).await.ok_or(StepError::NothingToDo)?;
    update.recorder.journal.run.to_version = Some(found.version.to_string());
    update
        .recorder
        .write_line(&format!("{} runs, the previous release is {}", update.from, found.version))
        .await;
    update.recorder.journal.rollback.release = found.folder;
    Ok(Outcome::Done)
}

fn require_space(update: &Update, origin: &Origin) -> Result<(), StepError> {
    let release = match (origin, &update.config.steps.build) {
        (Origin::Archive { files, .. }, _) => files.bytes().saturating_add(RELEASE_BYTES),
        (Origin::Git { .. }, Some(_)) => RELEASE_BYTES,
        (Origin::Git { .. }, None) => update.config.limits.build_disk_mb << 20,
    };
    let size = match &update.recorder.journal.rollback.database {
        RunDatabase::Sqlite { path } => std::fs::metadata(path).map_or(0, |data| data.len()),
        RunDatabase::Postgres => 0,
    };
    let mut needs = vec![
        (update.settings.install_dir.as_path(), release),
        // The rehearsal and the backup.
        (update.settings.data_dir.as_path(), size.saturating_mul(2)),
    ];
    if let RunDatabase::Sqlite { path } = &update.recorder.journal.rollback.database
        && let Some(folder) = path.parent()
    {
        // A rollback, which writes the database to the write-ahead log first.
        needs.push((folder, size.saturating_mul(2)));
    }
    disk::require_space(&needs).map_err(StepError::because)
}
