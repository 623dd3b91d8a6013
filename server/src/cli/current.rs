//! The binary with which an installation began stays where it is, for example in `/usr/local/bin`. What it is
//! told to do, the current release does: so the supervisor and the commands of a shell know the settings, the
//! schema and the version of the release that runs.

use std::ffi::OsString;
use std::os::unix::fs::MetadataExt;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::Command;

use installation::config::{Early, INSTALLED_VARIABLE, installed_binary};
use installation::supervisor::established_release;

/// Subcommands and flags about this very binary, or within an update.
const OF_THIS_BINARY: [&str; 8] = ["migrate", "openapi", "guard", "help", "--help", "-h", "--version", "-V"];

/// Replaces this process by the current release of the installation, if that is another binary. Returns if it
/// is not, and if the release can't be started.
pub fn run_current_release() {
    let args: Vec<OsString> = std::env::args_os().skip(1).collect();
    // Set in a process that was started by another binary of the installation.
    if installed_binary().is_some() || !concerns_installation(&args) {
        return;
    }
    let early = Early::read(&args);
    let Some(release) = established_release(&early.install_dir, &early.data_dir) else { return };
    let Ok(own) = std::env::current_exe() else { return };
    // Another user's binary is not executed: above all, the superuser leaves commands to the owner of the
    // installation.
    if is_same_file(&release, &own) || !is_trusted(&release) {
        return;
    }
    let error = Command::new(&release).arg0("farthing").args(&args).env(INSTALLED_VARIABLE, own).exec();
    report(&release, &error);
}

#[expect(clippy::print_stderr, reason = "there is no log yet")]
fn report(release: &Path, error: &std::io::Error) {
    eprintln!("farthing: can't start the current release `{}`: {error}", release.display());
}

fn concerns_installation(args: &[OsString]) -> bool {
    args.iter().all(|arg| {
        let word = arg.to_str().unwrap_or_default();
        !OF_THIS_BINARY.contains(&word) && !word.starts_with("--supervised-by")
    })
}

/// Whether the file belongs to the user of this process or to the superuser.
fn is_trusted(release: &Path) -> bool {
    let owner = std::fs::metadata(release).ok().map(|data| data.uid());
    owner.is_some_and(|owner| owner == 0 || owner == rustix::process::geteuid().as_raw())
}

fn is_same_file(one: &Path, other: &Path) -> bool {
    let id = |path: &Path| std::fs::metadata(path).ok().map(|data| (data.dev(), data.ino()));
    id(one).is_some() && id(one) == id(other)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_concerns_this_binary_is_not_passed_on() {
        let concerns = |line: &str| {
            concerns_installation(
                &line.split(' ').filter(|word| !word.is_empty()).map(OsString::from).collect::<Vec<_>>(),
            )
        };
        for line in
            ["", "serve", "--listen 127.0.0.1:80", "update", "backup /tmp/x.db", "serve --a-new-setting=1"]
        {
            assert!(concerns(line), "{line}");
        }
        for line in
            ["--version", "migrate --database-url x", "guard -- cargo build", "serve --supervised-by=7"]
        {
            assert!(!concerns(line), "{line}");
        }
    }
}
