use std::fs::File;
use std::path::Path;

use super::{CURRENT, Outcome, StepError};
use crate::updates::run::Update;

/// Has `current` point to the new release.
pub(super) fn switch(update: &mut Update) -> Result<Outcome, StepError> {
    super::prepare::is_built(update)?;
    let (folder, install_dir) = (update.release_folder()?, &update.settings.install_dir);
    // As seen from the installation, so that this can be moved.
    let target = folder.strip_prefix(install_dir).unwrap_or(&folder);
    point(install_dir, Some(target)).map_err(StepError::because)?;
    Ok(Outcome::Done)
}

/// Points `current` to `target`, or takes it away, in one step that is on the disk when it returns.
pub fn point(install_dir: &Path, target: Option<&Path>) -> std::io::Result<()> {
    let link = install_dir.join(CURRENT);
    match target {
        Some(target) => {
            let partial = install_dir.join(format!("{CURRENT}.partial"));
            absent_is_fine(std::fs::remove_file(&partial))?;
            std::os::unix::fs::symlink(target, &partial)?;
            std::fs::rename(&partial, &link)?;
        }
        None => absent_is_fine(std::fs::remove_file(&link))?,
    }
    File::open(install_dir)?.sync_all()
}

fn absent_is_fine(done: std::io::Result<()>) -> std::io::Result<()> {
    match done {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(()),
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_link_is_replaced_and_taken_away() {
        let folder = tempfile::tempdir().unwrap();
        let current = || std::fs::read_link(folder.path().join(CURRENT)).ok();
        point(folder.path(), None).unwrap();
        for target in ["releases/v1.0.0", "releases/v1.1.0"] {
            point(folder.path(), Some(Path::new(target))).unwrap();
            assert_eq!(current().as_deref(), Some(Path::new(target)));
        }
        point(folder.path(), None).unwrap();
        assert_eq!(current(), None);
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
    }
}
