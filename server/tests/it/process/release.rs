use std::fs::{self, Permissions};
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};

use super::Process;
use crate::harness::database;

/// Switches to a release whose binary `make` creates, as an update does.
pub fn switch_to(install_dir: &Path, release: &str, make: impl FnOnce(&Path)) -> PathBuf {
    let target = install_dir.join("releases").join(release).join("target/release");
    fs::create_dir_all(&target).unwrap();
    let binary = target.join("farthing");
    make(&binary);
    let next = install_dir.join("next");
    symlink(Path::new("releases").join(release), &next).unwrap();
    fs::rename(next, install_dir.join("current")).unwrap();
    binary.canonicalize().unwrap()
}

pub fn this_version(binary: &Path) {
    fs::copy(env!("CARGO_BIN_EXE_farthing"), binary).unwrap();
}

/// Permissions of an executable file.
pub fn script(text: &str) -> impl FnOnce(&Path) {
    move |binary| {
        fs::write(binary, text).unwrap();
        fs::set_permissions(binary, Permissions::from_mode(0o755)).unwrap();
    }
}

fn runs(pid: u32) -> PathBuf {
    fs::read_link(format!("/proc/{pid}/exe")).unwrap()
}

/// A restart starts the current release, or the binary of the supervisor if there is none or the system
/// cannot execute it.
#[tokio::test]
async fn a_restart_starts_the_current_release() {
    let folder = tempfile::tempdir().unwrap();
    let mut process = Process::start(&database::fresh(folder.path()).await, folder.path()).await;
    let own = runs(process.server());
    assert_eq!(own, runs(process.child.id()));

    let release = switch_to(folder.path(), "v1.0.0", this_version);
    process.signal("USR1");
    process.says("serving again after").await;
    assert_eq!(runs(process.server()), release);
    assert!(process.is_ready().await);

    switch_to(folder.path(), "v2.0.0", script("no program"));
    process.signal("USR1");
    process.says("serving again after").await;
    assert_eq!(runs(process.server()), own);
}
