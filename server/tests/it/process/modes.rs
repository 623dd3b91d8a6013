//! Permissions of the files that the binary creates.

use std::fs::{Permissions, set_permissions};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::{Process, command, sqlite};

/// Runs the command with a umask that restricts nothing.
fn with_open_umask(command: &Command) -> Command {
    let mut open = Command::new("sh");
    open.args(["-c", "umask 000; exec \"$0\" \"$@\""]).arg(command.get_program()).args(command.get_args());
    open.current_dir(command.get_current_dir().unwrap());
    open
}

/// Everything below the folder that the group or others may use.
fn exposed(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let metadata = path.symlink_metadata().unwrap();
        if metadata.permissions().mode() & 0o077 != 0 {
            found.push(path.clone());
        }
        if metadata.is_dir() {
            found.extend(exposed(&path));
        }
    }
    found
}

#[tokio::test]
async fn files_and_folders_are_private_whatever_the_umask_is() {
    let folder = tempfile::tempdir().unwrap();
    let url = format!("sqlite://{}", folder.path().join("database/farthing.db").display());
    let run = |args: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_farthing"));
        command.args(args).args(["--database-url", &url]).current_dir(folder.path());
        let output = with_open_umask(&command).output().unwrap();
        assert!(output.status.success(), "{args:?}: {output:?}");
        assert_eq!(exposed(folder.path()), Vec::<PathBuf>::new(), "after {args:?}");
    };
    run(&["migrate"]);

    let mut serve = with_open_umask(command(&url, folder.path(), "127.0.0.1:0").arg("--demo"));
    serve.stdout(std::process::Stdio::piped()).stderr(std::process::Stdio::piped());
    let mut process = Process::run(serve).await;
    process.says("serving as farthing").await;
    assert!(folder.path().join("database/farthing.db-wal").exists());
    assert_eq!(exposed(folder.path()), Vec::<PathBuf>::new(), "while a server runs");
    process.signal("TERM");
    process.ends_within(std::time::Duration::from_secs(10)).await;

    run(&["backup", "copy.db"]);
    run(&["restore", "copy.db"]);
    run(&["admin", "show"]);
}

#[tokio::test]
async fn data_that_others_can_read_is_reported_at_the_start() {
    let folder = tempfile::tempdir().unwrap();
    let url = sqlite(folder.path());
    drop(Process::start(&url, folder.path()).await);
    for (name, mode) in [("", 0o755), ("data", 0o755), ("farthing.db", 0o644)] {
        set_permissions(folder.path().join(name), Permissions::from_mode(mode)).unwrap();
    }
    let mut process = Process::start(&url, folder.path()).await;
    let line = process.says("other users of this machine can read the data").await;
    assert!(line.contains("WARN") && line.contains("farthing.db\"") && line.contains("data\""), "{line}");
}
