//! Where the shell finds the supervisor that runs: a file in the data folder with its process id, locked as long as
//! it lives.

use std::fs::{File, TryLockError};
use std::io::{Error, Write};
use std::path::Path;

use rustix::process::{Pid, Signal, kill_process};

use super::ControlError;

const NAME: &str = "supervisor.pid";

/// The file, held by this process.
#[derive(Debug)]
pub struct PidFile {
    _locked: File,
}

impl PidFile {
    /// Writes and locks it. It fails, too, where another supervisor has its data in the same folder.
    pub fn hold(data_dir: &Path) -> Result<Self, Error> {
        let mut file = File::options().create(true).truncate(false).write(true).open(data_dir.join(NAME))?;
        file.try_lock()?;
        file.set_len(0)?;
        writeln!(file, "{}", std::process::id())?;
        Ok(Self { _locked: file })
    }
}

/// Asks the supervisor whose data is in `data_dir` for a new server in the place of the one that serves, and returns
/// at once.
pub fn restart_running(data_dir: &Path) -> Result<(), ControlError> {
    let pid = find(data_dir)?.ok_or(ControlError::None)?;
    kill_process(pid, Signal::USR1).map_err(Error::from)?;
    Ok(())
}

fn find(data_dir: &Path) -> Result<Option<Pid>, Error> {
    let path = data_dir.join(NAME);
    let file = match File::open(&path) {
        Ok(file) => file,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(error),
    };
    match file.try_lock_shared() {
        // What is written there was the last one.
        Ok(()) => Ok(None),
        Err(TryLockError::WouldBlock) => {
            Ok(std::fs::read_to_string(&path)?.trim().parse().ok().and_then(Pid::from_raw))
        }
        Err(TryLockError::Error(error)) => Err(error),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn is_found_as_long_as_it_is_held() {
        let folder = tempfile::tempdir().unwrap();
        assert!(find(folder.path()).unwrap().is_none());
        let held = PidFile::hold(folder.path()).unwrap();
        let found = find(folder.path()).unwrap().unwrap();
        assert_eq!(found.as_raw_nonzero().get().unsigned_abs(), std::process::id());
        assert!(PidFile::hold(folder.path()).is_err(), "a second one is told that it is not alone");
        drop(held);
        assert!(find(folder.path()).unwrap().is_none());
    }
}
