use super::prepare::require_binary;
use crate::updates::layout::point_current;
use crate::updates::run::{Outcome, RunTarget, StepError, Update};

/// Points `current` to the release of the run. The binary with which the installation began has none.
pub(super) fn switch(update: &mut Update) -> Result<Outcome, StepError> {
    let install_dir = &update.settings.install_dir;
    if update.target == RunTarget::Previous && update.plan().release.is_none() {
        point_current(install_dir, None).map_err(StepError::because)?;
        return Ok(Outcome::Done);
    }
    require_binary(update)?;
    let folder = update.release_folder()?;
    // Relative, so that the installation can be moved.
    let target = folder.strip_prefix(install_dir).unwrap_or(&folder);
    point_current(install_dir, Some(target)).map_err(StepError::because)?;
    Ok(Outcome::Done)
}
