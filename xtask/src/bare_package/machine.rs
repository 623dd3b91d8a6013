//! A root file system as a machine of its own, on which the package is installed, and its service.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};

use crate::bare_system;
use crate::path_context::PathContext;
use crate::process;

pub const INSTALLATION: &str = "/var/lib/farthing";
const UNIT: &str = "/usr/lib/systemd/system/farthing.service";

/// Ends, with every process on it, when it is dropped.
pub struct Machine {
    root: PathBuf,
    /// Waits, as the first process of the machine.
    first: Child,
    /// Its number on this machine.
    inner: String,
}

impl Machine {
    /// A copy of a root file system.
    pub fn copy(pristine: &Path, root: PathBuf) -> Result<Self> {
        process::run(Command::new("cp").arg("--archive").arg(pristine).arg(&root))?;
        let first = bare_system::command(&root, "sleep").arg("infinity").spawn();
        let first = first.context("cannot start unshare")?;
        let inner = only_child(&first)?;
        Ok(Self { root, first, inner })
    }

    /// A program on this machine.
    fn command(&self, program: &str) -> Command {
        let mut command = Command::new("nsenter");
        command.args(["--pid", "--mount", "--root", "--wd=/", "--target", &self.inner, program]);
        bare_system::set_environment(&mut command);
        command
    }

    /// Installs a package with what it depends on.
    pub fn install(&self, package: &Path) -> Result<()> {
        let package = self.bring(package)?;
        self.apt(&["update"])?;
        self.apt(&["install", "--no-install-recommends", &package])
    }

    /// Brings a file here and returns its path within.
    pub fn bring(&self, file: &Path) -> Result<String> {
        let name = file.file_name().context("a file without a name")?.to_string_lossy().into_owned();
        let inner = format!("/tmp/{name}");
        let to = self.within(&inner);
        fs::copy(file, &to).on_path("copy", file)?;
        Ok(inner)
    }

    pub fn apt(&self, arguments: &[&str]) -> Result<()> {
        let mut apt = self.command("apt-get");
        apt.args(["-qq", "-y", "-o=APT::Sandbox::User=root"]).args(arguments);
        process::run(apt.env("DEBIAN_FRONTEND", "noninteractive").stdout(Stdio::null()))
    }

    /// Runs a shell's line as the user of the service, and returns what it prints.
    pub fn as_farthing(&self, line: &str) -> Result<String> {
        let output = process::output(&mut self.service_command(line))?;
        Ok(output.trim().to_owned())
    }

    /// The number of the service's user.
    pub fn owner(&self) -> Result<u32> {
        self.as_farthing("id --user")?.parse().context("`id` printed no number")
    }

    pub fn within(&self, path: &str) -> PathBuf {
        bare_system::within(&self.root, path)
    }

    pub fn exists(&self, path: &str) -> bool {
        self.within(path).symlink_metadata().is_ok()
    }

    /// Starts what the unit starts: its command line, as its user and in its folder, with its umask.
    pub fn start(&self) -> Result<Service> {
        let command = self.service_command(&format!(
            "cd {} && exec {}",
            self.unit("WorkingDirectory")?,
            self.unit("ExecStart")?
        ));
        Service::start(command)
    }

    fn service_command(&self, line: &str) -> Command {
        let unit = |key| self.unit(key).unwrap_or_default();
        let mut command = self.command("setpriv");
        command
            .arg(format!("--reuid={}", unit("User")))
            .arg(format!("--regid={}", unit("Group")))
            .args(["--clear-groups", "--no-new-privs", "sh", "-c"])
            .arg(format!("umask {}; {line}", unit("UMask")));
        command.env("HOME", INSTALLATION);
        command
    }

    /// A setting of the installed unit.
    fn unit(&self, key: &str) -> Result<String> {
        let path = self.within(UNIT);
        let text = fs::read_to_string(&path).on_path("read", &path)?;
        let found = text.lines().find_map(|line| line.strip_prefix(key)?.strip_prefix('='));
        found.map(str::to_owned).with_context(|| format!("the unit has no {key}"))
    }
}

impl Drop for Machine {
    fn drop(&mut self) {
        let _ = self.first.kill();
        let _ = self.first.wait();
    }
}

/// The number of the process that a program has started to run in its place. Waits until it is there.
fn only_child(parent: &Child) -> Result<String> {
    let path = format!("/proc/{0}/task/{0}/children", parent.id());
    let begun = Instant::now();
    loop {
        let children = fs::read_to_string(&path).on_path("read", Path::new(&path))?;
        if let Some(child) = children.split_ascii_whitespace().next() {
            return Ok(child.to_owned());
        }
        if begun.elapsed() > Duration::from_secs(5) {
            bail!("no process was started on the machine");
        }
        std::thread::sleep(Duration::from_millis(10));
    }
}

pub struct Service {
    child: Child,
    pub address: String,
}

impl Service {
    /// Starts a server on a free port, and waits until it listens.
    pub fn start(mut command: Command) -> Result<Self> {
        command.env("FARTHING_LISTEN", "127.0.0.1:0").stdin(Stdio::null()).stdout(Stdio::null());
        let mut child = command.stderr(Stdio::piped()).spawn().context("cannot start the service")?;
        let log = child.stderr.take().context("the service has no log")?;
        let found = process::wait_for_line(log, |line| {
            let (_, address) = line.split_once("listening on http://")?;
            address.split(['/', ' ']).next().map(str::to_owned)
        });
        match found {
            Ok(address) => Ok(Self { child, address }),
            Err(log) => bail!("the service ended before it listened:\n{log}"),
        }
    }

    /// The number of its process on this machine.
    pub fn process(&self) -> Result<String> {
        only_child(&self.child)
    }

    /// Stops it as a service manager does, and waits for its end.
    pub fn stop(mut self) -> Result<()> {
        process::run(Command::new("kill").args(["-TERM", &self.process()?]))?;
        let begun = Instant::now();
        while self.child.try_wait().context("cannot wait for the service")?.is_none() {
            if begun.elapsed() > Duration::from_secs(15) {
                bail!("the service did not stop within 15 s");
            }
            std::thread::sleep(Duration::from_millis(50));
        }
        Ok(())
    }
}

impl Drop for Service {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
