use super::prepare::require_binary;
use crate::updates::layout::point_current;
use crate::updates::run::{Outcome, StepError, Update};

/// Points `current` to the new release.
pub(super) fn switch(update: &mut Update) -> Result<Outcome, StepError> {
    require_binary(update)?;
    let (folder, install_dir) = (update.release_folder()?, &update.settings.install_dir);
    // Relative, so that the installation can be moved.
    let target = folder.strip_prefix(install_dir).unwrap_or(&folder);
    point_current(install_dir, Some(target)).map_err(StepError::because)?;
    Ok(Outcome::Done)
}
