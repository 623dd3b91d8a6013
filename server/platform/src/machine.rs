//! The machine that this process runs on.

/// The name of this machine, on Linux.
const HOST_NAME: &str = "/proc/sys/kernel/hostname";

/// The name of the machine; empty if it is not known.
pub fn host_name() -> String {
    std::fs::read_to_string(HOST_NAME).map(|name| name.trim().to_owned()).unwrap_or_default()
}
