//! What the processes that are measured take, as Linux tells it: the server, and those of its database where that
//! has some of its own.

use std::fs;
use std::io;

/// Linux tells processor time in these, whatever the kernel's own clock.
const TICKS_PER_SECOND: f64 = 100.0;

/// See the module.
#[derive(Debug, Clone, Copy)]
pub struct Processes {
    server: u32,
    /// The one that started all others.
    database: Option<u32>,
}

impl Processes {
    pub fn new(server: u32, database: Option<u32>) -> Self {
        Self { server, database }
    }

    /// The processor time that they have used, in user and kernel mode.
    pub fn cpu_seconds(self) -> io::Result<f64> {
        let mut ticks = Stat::read(self.server)?.own_ticks;
        if let Some(database) = self.database {
            let first = Stat::read(database)?;
            // A process that has ended is in the time of who started it.
            ticks += first.own_ticks + first.ended_ticks;
            ticks += children(database)?.iter().map(|(_, stat)| stat.own_ticks).sum::<f64>();
        }
        Ok(ticks / TICKS_PER_SECOND)
    }

    /// The processor time that this process has used, which asks them.
    pub fn own_cpu_seconds() -> io::Result<f64> {
        Ok(Stat::read(std::process::id())?.own_ticks / TICKS_PER_SECOND)
    }

    /// The memory that they hold, in bytes. What several share is counted once.
    pub fn memory_bytes(self) -> io::Result<f64> {
        let mut bytes = share_bytes(self.server)?;
        if let Some(database) = self.database {
            bytes += share_bytes(database)?;
            for (pid, _) in children(database)? {
                // It may have ended meanwhile.
                bytes += share_bytes(pid).unwrap_or(0.0);
            }
        }
        Ok(bytes)
    }
}

/// Of `/proc/PID/stat`.
struct Stat {
    parent: u32,
    own_ticks: f64,
    /// Of children that have ended.
    ended_ticks: f64,
}

impl Stat {
    fn read(pid: u32) -> io::Result<Self> {
        let text = fs::read_to_string(format!("/proc/{pid}/stat"))?;
        // Its second field is the name, in parentheses. The 4th is the parent; user and kernel time are the 14th
        // and 15th, those of ended children the two after them.
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

/// Its own memory, and of what it shares with others its share.
fn share_bytes(pid: u32) -> io::Result<f64> {
    let text = fs::read_to_string(format!("/proc/{pid}/smaps_rollup"))?;
    let kilobytes =
        text.lines().find_map(|line| line.strip_prefix("Pss:")?.trim().split(' ').next()?.parse().ok());
    kilobytes.map(|kilobytes: f64| kilobytes * 1024.0).ok_or_else(|| io::Error::other("no share of memory"))
}
