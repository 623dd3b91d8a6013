//! A demo server with its own database, and the processor time and memory of its two processes: the
//! supervisor and the server.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, anyhow};

use crate::path_context::PathContext;
use crate::process;

/// Unit of processor time in /proc: fixed at 1/100 s on Linux, independent of the kernel's timer frequency.
const TICKS_PER_SECOND: f64 = 100.0;

pub struct DemoServer {
    child: Child,
    pub address: String,
    /// From the start of the process to the log line `listening on`.
    pub start_time: Duration,
}

impl DemoServer {
    /// Keeps its data in `folder`: the first start in a folder creates the demo, a later start reuses it.
    pub fn start(binary: &Path, folder: &Path) -> Result<Self> {
        let database = format!("sqlite://{}", folder.join("farthing.db").display());
        let started = Instant::now();
        // One pipe for both streams, because the line may come on either.
        let (reader, writer) = std::io::pipe().context("cannot create a pipe")?;
        let errors = writer.try_clone().context("cannot create a pipe")?;
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
            .on_path("start", binary)?;
        let found = process::wait_for_line(reader, |line| {
            let (_, address) = line.split_once("listening on http://")?;
            address.split(['/', ' ']).next().map(str::to_owned)
        });
        match found {
            Ok(address) => Ok(Self { child, address, start_time: started.elapsed() }),
            Err(printed) => {
                let _ = child.wait();
                Err(anyhow!("the server ended before it listened:\n{printed}"))
            }
        }
    }

    /// Processor time of both processes since their start, in milliseconds.
    pub fn cpu_ms(&self) -> Result<f64> {
        let mut ticks = 0.0;
        for pid in self.pids()? {
            // Fields 14 and 15: user and system time.
            let fields = stat(pid)?;
            ticks +=
                fields.iter().skip(11).take(2).filter_map(|field| field.parse::<f64>().ok()).sum::<f64>();
        }
        Ok(ticks * 1000.0 / TICKS_PER_SECOND)
    }

    /// Resident memory of both processes, in megabytes. Shared pages are counted twice.
    pub fn resident_mb(&self) -> Result<f64> {
        let mut kilobytes = 0.0;
        for pid in self.pids()? {
            kilobytes += proc(pid, "status")?
                .lines()
                .find_map(|line| line.strip_prefix("VmRSS:"))
                .and_then(|rest| rest.split_ascii_whitespace().next())
                .and_then(|number| number.parse::<f64>().ok())
                .with_context(|| format!("/proc/{pid}/status has no VmRSS"))?;
        }
        Ok(kilobytes * 1024.0 / 1_000_000.0)
    }

    /// The supervisor and its child processes.
    fn pids(&self) -> Result<Vec<u32>> {
        let supervisor = self.child.id();
        let folder = Path::new("/proc");
        let entries = fs::read_dir(folder).on_path("read", folder)?;
        let all = entries.filter_map(|entry| entry.ok()?.file_name().to_str()?.parse().ok());
        let is_child = |pid: &u32| {
            // A process that has ended meanwhile has no file to read.
            let parent = stat(*pid).ok().and_then(|fields| fields.get(1)?.parse().ok());
            parent == Some(supervisor)
        };
        Ok(all.filter(is_child).chain([supervisor]).collect())
    }
}

/// The fields of `/proc/PID/stat` after the program's name, from the third on. The name is in parentheses and
/// may itself contain spaces and parentheses.
fn stat(pid: u32) -> Result<Vec<String>> {
    let text = proc(pid, "stat")?;
    let fields = text.rsplit(')').next().unwrap_or_default().split_ascii_whitespace();
    Ok(fields.map(str::to_owned).collect())
}

fn proc(pid: u32, file: &str) -> Result<String> {
    let path = PathBuf::from(format!("/proc/{pid}/{file}"));
    fs::read_to_string(&path).on_path("read", &path)
}

impl Drop for DemoServer {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
