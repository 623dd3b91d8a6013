//! Running other programs.

use std::path::Path;
use std::process::{Command, Stdio};

use crate::failure::{Failure, Outcome};

/// Runs a program on this terminal and expects it to succeed.
pub fn run(command: &mut Command) -> Outcome<()> {
    let status = command.status().map_err(|error| not_started(command, &error))?;
    if status.success() {
        Ok(())
    } else {
        Err(Failure::new(format!("`{}` failed ({status})", line(command))))
    }
}

/// Runs a program and gives what it prints; its errors go to the terminal.
pub fn output(command: &mut Command) -> Outcome<String> {
    let output = command.stderr(Stdio::inherit()).output().map_err(|error| not_started(command, &error))?;
    if !output.status.success() {
        return Err(Failure::new(format!("`{}` failed ({})", line(command), output.status)));
    }
    String::from_utf8(output.stdout)
        .map_err(|_| Failure::new(format!("`{}` printed something that is not text", line(command))))
}

/// The command as a person would type it.
pub fn line(command: &Command) -> String {
    let program = Path::new(command.get_program());
    let mut words = vec![program.file_name().unwrap_or_default().to_string_lossy().into_owned()];
    words.extend(command.get_args().map(|word| word.to_string_lossy().into_owned()));
    words.join(" ")
}

fn not_started(command: &Command, error: &std::io::Error) -> Failure {
    let program = command.get_program().to_string_lossy();
    Failure::new(format!("can't start `{program}`: {error}; is it installed and on PATH?"))
}
