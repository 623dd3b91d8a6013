//! Processor time and memory of the measured processes, from Linux's `/proc`: the server, and the processes
//! of the database server if there is one.

use std::fs;
use std::io;

/// Unit of processor time in `/proc`, independent of the kernel's timer frequency.
const TICKS_PER_SECOND: f64 = 100.0;

/// The measured processes.
#[derive(Debug, Clone, Copy)]
pub struct Processes {
    server: u32,
    /// Parent of all processes of the database server.
    database: Option<u32>,
}

impl Processes {
    pub fn new(server: u32, database: Option<u32>) -> Self {
        Self { server, database }
    }

    /// Processor time used so far, in user and kernel mode.
    pub fn cpu_seconds(self) -> io::Result<f64> {
        let mut ticks = Stat::read(self.server)?.own_ticks;
        if let Some(database) = self.database {
            let first = Stat::read(database)?;
            // The time of a process that has ended is counted in its parent.
            ticks += first.own_ticks + first.ended_ticks;
            ticks += children(database)?.iter().map(|(_, stat)| stat.own_ticks).sum::<f64>();
        }
        Ok(ticks / TICKS_PER_SECOND)
    }

    /// Processor time used so far by this process, the client.
    pub fn own_cpu_seconds() -> io::Result<f64> {
        Ok(Stat::read(std::process::id())?.own_ticks / TICKS_PER_SECOND)
    }

    /// Memory in use, in bytes. Shared memory is counted once.
    pub fn memory_bytes(self) -> io::Result<f64> {
        let mut bytes = share_bytes(self.server)?;
        if let Some(database) = self.database {
            bytes += share_bytes(database)?;
            for (pid, _) in children(database)? {
                // The process may have ended since it was listed.
                bytes += share_bytes(pid).unwrap_or(0.0);
            }
        }
        Ok(bytes)
    }
}

impl Processes {
    /// Starts a new measurement of the most memory.
    pub fn forget_most_memory(self) -> io::Result<()> {
        fs::write(format!("/proc/{}/clear_refs", self.server), "5")
    }

    /// The most memory that the server had in use at any moment of this measurement, in bytes.
    pub fn most_memory_bytes(self) -> io::Result<f64> {
        kilobytes_of(&fs::read_to_string(format!("/proc/{}/status", self.server))?, "VmHWM:")
    }
}

/// The parts of `/proc/PID/stat` that are used.
struct Stat {
    parent: u32,
    own_ticks: f64,
    /// Processor time of children that have ended.
    ended_ticks: f64,
}

impl Stat {
    fn read(pid: u32) -> io::Result<Self> {
        let text = fs::read_to_string(format!("/proc/{pid}/stat"))?;
        // The second field is the name, in parentheses. The 4th is the parent, the 14th and 15th are user and
        // kernel time, and the two after them those of ended children.
        let fields: Vec<&str> = text.rsplit(')').next().unwrap_or("").split_ascii_whitespace().collect();
        let ticks = |at: usize| fields.get(at).and_then(|field| field.parse::<f64>().ok()).unwrap_or(0.0);
        Ok(Self {
            parent: fields.get(1).and_then(|field| field.parse().ok()).unwrap_or(0),
            own_ticks: ticks(11) + ticks(12),
            ended_ticks: ticks(13) + ticks(14),
        })
    }
}

fn children(parent: u32) -> io::Result<Vec<(u32, Stat)>> {
    let pids = fs::read_dir("/proc")?.filter_map(|entry| entry.ok()?.file_name().to_str()?.parse().ok());
    let stats = pids.filter_map(|pid| Some((pid, Stat::read(pid).ok()?)));
    Ok(stats.filter(|(_, stat)| stat.parent == parent).collect())
}

/// Memory of a process: its own, and its share of the memory that it shares with other processes.
fn share_bytes(pid: u32) -> io::Result<f64> {
    kilobytes_of(&fs::read_to_string(format!("/proc/{pid}/smaps_rollup"))?, "Pss:")
}

/// The line of this name, in bytes.
fn kilobytes_of(text: &str, name: &str) -> io::Result<f64> {
    let kilobytes =
        text.lines().find_map(|line| line.strip_prefix(name)?.trim().split(' ').next()?.parse().ok());
    kilobytes
        .map(|kilobytes: f64| kilobytes * 1024.0)
        .ok_or_else(|| io::Error::other(format!("no `{name}` in /proc")))
}
