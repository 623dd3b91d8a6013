//! The package on bare root file systems of Debian without a compiler: installed, claimed, backed up,
//! restored on a second machine, upgraded, removed and purged, and on a third one updated by archive, with a
//! clock.

pub mod image;
pub mod lint;
mod machine;
mod person;
mod update;

use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail, ensure};
use serde_json::json;

use crate::bare_system;
use crate::dist::{self, BuiltRelease, archive, deb, signature, sums};
use crate::node::Node;
use crate::path_context::PathContext;
use crate::python::Python;
use crate::workspace::Workspace;
use machine::{INSTALLATION, Machine};
use person::FirstUser;

/// From the start of the installation to the first page.
const FIRST_PAGE_MAX: Duration = Duration::from_secs(60);

/// Runs in root file systems of a release of Debian. Prints why if that is not possible on this machine.
pub fn check(
    workspace: &Workspace,
    node: &Node,
    python: &Python,
    debian: &bare_system::Debian,
) -> Result<()> {
    let Some(mirror) = bare_system::mirror()? else { return Ok(()) };
    let folder = workspace.scratch()?.join(format!("package-{}", debian.codename));
    // Left by an interrupted run.
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).on_path("create", &folder)?;
    let pristine = folder.join("pristine");
    let outcome = bare_system::make(&pristine, node, debian, &mirror)
        .and_then(|()| packages(workspace, python, &folder))
        .and_then(|packages| check_in(&folder, &pristine, python, &packages));
    let _ = fs::remove_dir_all(&folder);
    outcome
}

/// This version and the next one.
struct Packages {
    this: PathBuf,
    next: PathBuf,
    next_version: String,
    /// The folder with the next version's archive, its signature and its sums.
    published: PathBuf,
    /// Name of the archive in it.
    archive: String,
}

/// Makes them from the binary of the tests. That of the next version is the same with another number.
fn packages(workspace: &Workspace, python: &Python, folder: &Path) -> Result<Packages> {
    let key = signature::temporary_key()?;
    let (target, architecture) = dist::target(None)?;
    let path = workspace.binary();
    let binary = fs::read(&path).on_path("read", &path)?;
    let next_version = next_version()?;
    let next = with_version(&binary, &next_version);
    let public_keys = Some(signature::public(&key)?);
    let release = |version: &str, binary: Vec<u8>| -> Result<BuiltRelease<'_>> {
        Ok(BuiltRelease {
            workspace,
            python,
            version: version.to_owned(),
            target,
            architecture,
            binary,
            releases_url: None,
            public_keys: public_keys.clone(),
            epoch: dist::epoch(workspace)?,
            folder: folder.to_owned(),
        })
    };
    let write = |folder: &Path, name: &str, bytes: &[u8]| {
        let path = folder.join(name);
        fs::write(&path, bytes).on_path("write", &path)?;
        Ok::<_, anyhow::Error>(path)
    };
    let (name, bytes) = deb::make(&release(dist::version(), binary)?)?;
    let this = write(folder, &name, &bytes)?;
    let release = release(&next_version, next)?;
    let (name, bytes) = deb::make(&release)?;
    let next = write(folder, &name, &bytes)?;

    let published = folder.join("published");
    fs::create_dir_all(&published).on_path("create", &published)?;
    let (archive, bytes) = archive::make(&release)?;
    write(&published, &archive, &bytes)?;
    let signed = signature::sign(&key, &bytes, &signature::comment(&release))?;
    write(&published, &format!("{archive}.minisig"), signed.as_bytes())?;
    write(&published, sums::NAME, sums::of_folder(&published)?.as_bytes())?;
    Ok(Packages { this, next, next_version, published, archive })
}

/// This version with another last digit, so that the number has the same length.
fn next_version() -> Result<String> {
    let (front, last) = dist::version().split_at(dist::version().len() - 1);
    let last: u32 = last.parse().context("the version does not end with a digit")?;
    ensure!(last < 9, "the version has no successor of the same length");
    Ok(format!("{front}{}", last + 1))
}

fn with_version(binary: &[u8], version: &str) -> Vec<u8> {
    let (old, mut bytes) = (dist::version().as_bytes(), binary.to_vec());
    let mut at = 0;
    while at + old.len() <= bytes.len() {
        if bytes[at..].starts_with(old) {
            bytes[at..at + old.len()].copy_from_slice(version.as_bytes());
        }
        at += 1;
    }
    bytes
}

fn check_in(folder: &Path, pristine: &Path, python: &Python, packages: &Packages) -> Result<()> {
    let machine = Machine::copy(pristine, folder.join("first"))?;
    let (person, backup) = install(&machine, &packages.this)?;
    restore(&Machine::copy(pristine, folder.join("second"))?, packages, &backup, &person)?;
    upgrade(&machine, packages, &person)?;
    remove(&machine)?;
    drop(machine);
    let machine = Machine::copy(pristine, folder.join("third"))?;
    update::check(&machine, python, packages)
}

/// Installs the package, claims the administration and makes a backup. Returns the admin and the backup.
fn install(machine: &Machine, package: &Path) -> Result<(FirstUser, PathBuf)> {
    for compiler in ["/usr/bin/cc", "/usr/bin/gcc", "/usr/bin/cargo"] {
        ensure!(!machine.exists(compiler), "the bare system has {compiler}");
    }
    let begun = Instant::now();
    machine.install(package)?;
    let service = machine.start()?;
    let person = FirstUser::register(&service.address, "ada@example.org")?;
    ensure!(person.get("/")? == 200, "there is no first page");
    let took = begun.elapsed();
    println!("package: first page {:.1} s after the download", took.as_secs_f64());
    ensure!(took <= FIRST_PAGE_MAX, "the first page took longer than {} s", FIRST_PAGE_MAX.as_secs());

    let claim = json!({"deploymentAdminEmail": "ada@example.org"});
    let refused = person.send("PATCH", "/api/system/settings", &claim)?;
    ensure!(refused == 403, "a claim without the code was answered with {refused}");
    let code = machine.as_farthing("farthing admin claim-code")?;
    let claim = json!({"deploymentAdminEmail": "ada@example.org", "claimCode": code});
    let claimed = person.send("PATCH", "/api/system/settings", &claim)?;
    ensure!(claimed == 200, "the claim was answered with {claimed}");

    let backup = machine.as_farthing("farthing backup")?;
    let backup = backup.lines().last().unwrap_or_default().to_owned();
    machine.as_farthing(&format!("farthing verify {backup}"))?;
    service.stop()?;
    Ok((person, machine.within(&backup)))
}

/// Restores the backup on a machine that has only the package.
fn restore(machine: &Machine, packages: &Packages, backup: &Path, person: &FirstUser) -> Result<()> {
    machine.install(&packages.this)?;
    let copy = machine.bring(backup)?;
    let begun = Instant::now();
    std::os::unix::fs::chown(machine.within(&copy), Some(machine.owner()?), None)
        .on_path("change the owner of", backup)?;
    machine.as_farthing(&format!("farthing restore {copy}"))?;
    let service = machine.start()?;
    ensure!(person.sign_in(&service.address)?, "the admin can't sign in after the restoration");
    println!("package: restored on a second machine in {:.1} s", begun.elapsed().as_secs_f64());
    service.stop()
}

/// Upgrades the package, as apt does with a newer one.
fn upgrade(machine: &Machine, packages: &Packages, person: &FirstUser) -> Result<()> {
    let package = machine.bring(&packages.next)?;
    let begun = Instant::now();
    machine.apt(&["install", "--no-install-recommends", &package])?;
    let service = machine.start()?;
    ensure!(person.sign_in(&service.address)?, "the admin can't sign in after the upgrade");
    let version = machine.as_farthing("farthing --version")?;
    ensure!(version.ends_with(&packages.next_version), "after the upgrade `{version}` runs");
    println!("package: upgraded in {:.1} s", begun.elapsed().as_secs_f64());
    service.stop()?;
    let backups = fs::read_dir(machine.within(&format!("{INSTALLATION}/data/backups")));
    let backups = backups.context("there are no backups")?.filter_map(Result::ok);
    let before = backups.filter(|entry| entry.file_name().to_string_lossy().starts_with("backup_")).count();
    ensure!(before >= 1, "the upgrade made no backup");
    // An older package replaces its own files, and leaves the newer release.
    let package = machine.bring(&packages.this)?;
    machine.apt(&["install", "--allow-downgrades", "--no-install-recommends", &package])?;
    let version = machine.as_farthing("farthing --version")?;
    ensure!(version.ends_with(&packages.next_version), "after the downgrade `{version}` runs");
    Ok(())
}

/// Removes the package, and then its settings. The data stays.
fn remove(machine: &Machine) -> Result<()> {
    for action in ["remove", "purge"] {
        machine.apt(&[action, "farthing"])?;
        if !machine.exists(&format!("{INSTALLATION}/data/farthing.db")) {
            bail!("`apt-get {action}` has removed the data");
        }
        ensure!(!machine.exists("/usr/bin/farthing"), "`apt-get {action}` has left the command");
    }
    ensure!(!machine.exists("/etc/farthing/farthing.toml"), "`apt-get purge` has left the settings");
    Ok(())
}
