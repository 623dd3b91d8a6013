//! The guard of a command: a process between the update and the command, which kills the command and all
//! processes that it has started when the process of the update ends, also by `kill -9`.

use std::ffi::OsString;
use std::io::{Error, ErrorKind};
use std::process::{Command, ExitStatus, Stdio};

use rustix::process::{Signal, getpgrp, kill_process_group};

/// The hidden subcommand of `farthing`.
pub const SUBCOMMAND: &str = "guard";

/// Runs `command` in the process group of this process, and returns its exit status. The process of the
/// update holds the other end of standard input: when that ends, this kills the group, itself included.
pub fn guard(command: &[OsString]) -> Result<ExitStatus, Error> {
    let (program, arguments) = command.split_first().ok_or(ErrorKind::InvalidInput)?;
    let mut child = Command::new(program).args(arguments).stdin(Stdio::null()).spawn()?;
    std::thread::spawn(|| {
        // An error of standard input ends it as well.
        let _ = std::io::copy(&mut std::io::stdin(), &mut std::io::sink());
        let _ = kill_process_group(getpgrp(), Signal::KILL);
    });
    child.wait()
}
