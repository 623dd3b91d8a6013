//! A demo server with a database of its own, and what the system says of its processes: the supervisor and its child.

use std::fs;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use crate::failure::{Failure, OnPath, Outcome};

/// Ticks of /proc in a second: fixed on Linux, whatever the kernel's own clock does.
const TICKS_PER_SECOND: f64 = 100.0;

pub struct DemoServer {
    child: Child,
    pub address: String,
    /// From the start of the process to its word that it listens.
    pub started_in: Duration,
}

impl DemoServer {
    /// `folder` holds its data; a second start in it finds the demo that the first has made.
    pub fn start(binary: &Path, folder: &Path) -> Outcome<Self> {
        let database = format!("sqlite://{}", folder.join("farthing.db").display());
        let begun = Instant::now();
        // Both streams are one: which of them the line comes on is the server's affair.
        let (reader, writer) =
            std::io::pipe().map_err(|error| Failure::new(format!("can't make a pipe: {error}")))?;
        let errors = writer.try_clone().on("share", Path::new("a pipe"))?;
        let mut child = Command::new(binary)
            .args(["serve", "--demo", "--listen=127.0.0.1:0", "--rate-limits=off"])
            .arg(format!("--database-url={database}"))
            .arg("--data-dir")
            .arg(folder.join("data"))
            .current_dir(folder)
            .stdin(Stdio::null())
            .stdout(writer)
            .stderr(errors)
            .spawn()
            .on("start", binary)?;
        let mut said = String::new();
        let mut lines = BufReader::new(reader).lines();
        let address = loop {
            let Some(Ok(line)) = lines.next() else {
                let _ = child.wait();
                return Err(Failure::new(format!("the server ended before it listened:\n{said}")));
            };
            if let Some((_, address)) = line.split_once("listening on http://") {
                break address.chars().take_while(|mark| !mark.is_whitespace() && *mark != '/').collect();
            }
            said.push_str(&line);
            said.push('\n');
        };
        let started_in = begun.elapsed();
        // Read on, or a talkative server would wait for room in the pipe.
        std::thread::spawn(move || lines.for_each(drop));
        Ok(Self { child, address, started_in })
    }

    /// Processor time that the processes have used so far, in milliseconds.
    pub fn cpu_ms(&self) -> Outcome<f64> {
        let mut ticks = 0.0;
        for pid in self.pids()? {
            // User and system time.
            let fields = stat(pid)?;
            ticks +=
                fields.iter().skip(11).take(2).filter_map(|field| field.parse::<f64>().ok()).sum::<f64>();
        }
        Ok(ticks * 1000.0 / TICKS_PER_SECOND)
    }

    /// Memory that the processes hold, in megabytes. What they share is counted for each.
    pub fn resident_mb(&self) -> Outcome<f64> {
        let mut kilobytes = 0.0;
        for pid in self.pids()? {
            kilobytes += proc(pid, "status")?
                .lines()
                .find_map(|line| line.strip_prefix("VmRSS:"))
                .and_then(|rest| rest.split_ascii_whitespace().next())
                .and_then(|number| number.parse::<f64>().ok())
                .ok_or_else(|| Failure::new("the system does not say how much memory the server holds"))?;
        }
        Ok(kilobytes * 1024.0 / 1_000_000.0)
    }

    /// The supervisor, and the processes that it has started.
    fn pids(&self) -> Outcome<Vec<u32>> {
        let supervisor = self.child.id();
        let folder = Path::new("/proc");
        let entries = fs::read_dir(folder).on("read", folder)?;
        let all = entries.filter_map(|entry| entry.ok()?.file_name().to_str()?.parse().ok());
        let is_child = |pid: &u32| {
            // Others may end meanwhile.
            let parent = stat(*pid).ok().and_then(|fields| fields.get(1)?.parse().ok());
            parent == Some(supervisor)
        };
        Ok(all.filter(is_child).chain([supervisor]).collect())
    }
}

/// Of `/proc/PID/stat`, what follows the name in brackets, which may hold anything.
fn stat(pid: u32) -> Outcome<Vec<String>> {
    let text = proc(pid, "stat")?;
    let fields = text.rsplit(')').next().unwrap_or_default().split_ascii_whitespace();
    Ok(fields.map(str::to_owned).collect())
}

fn proc(pid: u32, file: &str) -> Outcome<String> {
    let path = PathBuf::from(format!("/proc/{pid}/{file}"));
    fs::read_to_string(&path).on("read", &path)
}

impl Drop for DemoServer {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
