//! Processes and their relations, from `/proc`.

use std::fs;
use std::process::{Command, Stdio};

/// State and parent of a process.
fn stat(pid: u32) -> Option<(char, u32)> {
    let text = fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    // The second field is a name in parentheses, which may contain any character.
    let mut fields = text.rsplit(')').next()?.split_ascii_whitespace();
    Some((fields.next()?.chars().next()?, fields.next()?.parse().ok()?))
}

/// Whether the process runs. A zombie does not.
pub fn lives(pid: u32) -> bool {
    stat(pid).is_some_and(|(state, _)| state != 'Z')
}

/// Running children of `parent`.
pub fn children(parent: u32) -> Vec<u32> {
    let entries = fs::read_dir("/proc").unwrap();
    let pids = entries.filter_map(|entry| entry.ok()?.file_name().to_str()?.parse().ok());
    pids.filter(|pid| stat(*pid).is_some_and(|(state, of)| of == parent && state != 'Z')).collect()
}

/// Open file descriptors of a process, sorted.
pub fn descriptors(pid: u32) -> Vec<String> {
    let entries = fs::read_dir(format!("/proc/{pid}/fd")).unwrap();
    let links = entries.filter_map(|entry| fs::read_link(entry.ok()?.path()).ok());
    // The numbers of sockets and pipes differ between processes.
    let mut kinds: Vec<String> =
        links.map(|link| link.to_string_lossy().split('[').next().unwrap_or_default().to_owned()).collect();
    kinds.sort();
    kinds
}

/// Sends a signal by name.
pub fn signal(pid: u32, name: &str) {
    assert!(try_signal(pid, name), "no process {pid}");
}

/// Sends a signal by name to a process that may have ended, and returns whether it had not.
pub fn try_signal(pid: u32, name: &str) -> bool {
    let kill = Command::new("kill").args(["-s", name, &pid.to_string()]).stderr(Stdio::null()).status();
    kill.unwrap().success()
}
