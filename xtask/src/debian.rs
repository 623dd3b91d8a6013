//! Packages of Debian and its derivatives, and how this machine reaches them.

use std::process::Command;

use anyhow::Result;

use crate::process;

/// Installs packages if that is possible without a password. Otherwise does nothing; the caller reports what
/// is missing.
pub fn install(packages: &[&str]) -> Result<()> {
    if process::on_path("apt-get").is_none() {
        return Ok(());
    }
    let words: &[&str] = if process::succeeds("test", &["-w", "/usr/bin"]) {
        &["apt-get"]
    } else if process::succeeds("sudo", &["-n", "true"]) {
        &["sudo", "-n", "apt-get"]
    } else {
        return Ok(());
    };
    println!("debian: installing {}", packages.join(" "));
    let apt = || {
        let mut command = Command::new(words[0]);
        command.args(&words[1..]).env("DEBIAN_FRONTEND", "noninteractive");
        command
    };
    process::run(apt().args(["update", "-qq"]))?;
    process::run(apt().args(["install", "-y", "-qq", "--no-install-recommends"]).args(packages))
}

/// The mirror of Debian's main archive that apt uses on this machine. Derivatives of Debian have none.
pub fn mirror() -> Result<Option<String>> {
    if process::on_path("apt-get").is_none() {
        return Ok(None);
    }
    let filters = ["Created-By: Packages", "Origin: Debian", "Label: Debian"];
    let uris = process::output(
        Command::new("apt-get").args(["indextargets", "--format", "$(REPO_URI)"]).args(filters),
    )?;
    Ok(uris.lines().next().map(str::to_owned))
}

/// apt's settings for downloads, such as its proxies, in the syntax of `apt.conf`.
pub fn download_settings() -> Result<String> {
    process::output(Command::new("apt-config").args(["dump", "Acquire"]))
}

/// The proxy that apt uses for a protocol, `http` or `https`. Empty without a proxy.
pub fn proxy(protocol: &str) -> Result<String> {
    let setting = format!("Acquire::{protocol}::Proxy");
    let value = process::output(Command::new("apt-config").args(["dump", "--format=%v", &setting]))?;
    Ok(value.trim().to_owned())
}
