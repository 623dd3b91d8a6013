//! A file in the data folder with the process id of the supervisor, locked while it runs. So commands in a
//! shell find it.

use std::fs::{File, TryLockError};
use std::io::{Error, Write};
use std::path::Path;
use std::time::Duration;

use rustix::process::{Pid, Signal, kill_process};

use crate::control::ControlError;

const NAME: &str = "supervisor.pid";
const LOCK_TRIES_MAX: u32 = 10;
const LOCK_RETRY_INTERVAL: Duration = Duration::from_millis(10);

/// The file, locked by this process.
#[derive(Debug)]
pub struct PidFile {
    _locked: File,
}

impl PidFile {
    /// Writes and locks the file. Fails if another supervisor uses the same data folder.
    pub fn lock(data_dir: &Path) -> Result<Self, Error> {
        let mut file = File::options().create(true).truncate(false).write(true).open(data_dir.join(NAME))?;
        lock_exclusively(&file)?;
        file.set_len(0)?;
        writeln!(file, "{}", std::process::id())?;
        Ok(Self { _locked: file })
    }
}

/// A command that looks for the supervisor holds the lock for a moment, too.
fn lock_exclusively(file: &File) -> Result<(), TryLockError> {
    let mut tries = LOCK_TRIES_MAX;
    loop {
        match file.try_lock() {
            Err(TryLockError::WouldBlock) if tries > 0 => tries -= 1,
            locked => return locked,
        }
        std::thread::sleep(LOCK_RETRY_INTERVAL);
    }
}

/// Requests that the supervisor with this data folder restarts its server, and returns at once.
pub fn restart_running(data_dir: &Path) -> Result<(), ControlError> {
    let pid = find_supervisor(data_dir)?.ok_or(ControlError::None)?;
    kill_process(pid, Signal::USR1).map_err(Error::from)?;
    Ok(())
}

/// The supervisor that runs with this data folder.
pub(super) fn find_supervisor(data_dir: &Path) -> Result<Option<Pid>, Error> {
    let path = data_dir.join(NAME);
    let file = match File::open(&path) {
        Ok(file) => file,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(error),
    };
    match file.try_lock_shared() {
        // Left behind by a supervisor that has ended.
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
    fn a_supervisor_is_found_while_its_file_is_locked() {
        let folder = tempfile::tempdir().unwrap();
        assert!(find_supervisor(folder.path()).unwrap().is_none());
        let held = PidFile::lock(folder.path()).unwrap();
        let found = find_supervisor(folder.path()).unwrap().unwrap();
        assert_eq!(found.as_raw_nonzero().get().unsigned_abs(), std::process::id());
        assert!(PidFile::lock(folder.path()).is_err(), "a second one is refused");
        drop(held);
        assert!(find_supervisor(folder.path()).unwrap().is_none());
    }
}
