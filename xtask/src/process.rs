//! Running other programs.

use std::env;
use std::io::{BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread;

use anyhow::{Context, Result, bail};

/// Runs a program on this terminal. An exit status other than 0 is an error.
pub fn run(command: &mut Command) -> Result<()> {
    let status = command.status().with_context(|| not_started(command))?;
    if !status.success() {
        bail!("`{}` failed ({status})", line(command));
    }
    Ok(())
}

/// Runs a program and returns its standard output. Its standard error goes to the terminal.
pub fn output(command: &mut Command) -> Result<String> {
    let output = command.stderr(Stdio::inherit()).output().with_context(|| not_started(command))?;
    if !output.status.success() {
        bail!("`{}` failed ({})", line(command), output.status);
    }
    String::from_utf8(output.stdout)
        .with_context(|| format!("`{}` printed something that is not text", line(command)))
}

/// Runs a program that reads bytes from its standard input, and returns its standard output.
pub fn filter(command: &mut Command, input: &[u8]) -> Result<Vec<u8>> {
    let mut child =
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().with_context(|| not_started(command))?;
    let pipe = child.stdin.take();
    // Written beside the reading, because a full pipe blocks both programs.
    let output = thread::scope(|scope| {
        // The program reports why it stopped reading.
        scope.spawn(|| pipe.map(|mut pipe| pipe.write_all(input)));
        child.wait_with_output()
    });
    let output = output.with_context(|| not_started(command))?;
    if !output.status.success() {
        bail!("`{}` failed ({})", line(command), output.status);
    }
    Ok(output.stdout)
}

/// Whether a program can be started and exits with status 0. Its output is discarded.
pub fn succeeds(program: &str, arguments: &[&str]) -> bool {
    Command::new(program)
        .args(arguments)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()
        .is_ok_and(|status| status.success())
}

/// The file of a program in the folders of PATH.
pub fn on_path(program: &str) -> Option<PathBuf> {
    let folders = env::var_os("PATH")?;
    env::split_paths(&folders)
        .map(|folder| folder.join(format!("{program}{}", env::consts::EXE_SUFFIX)))
        .find(|path| path.is_file())
}

/// Reads lines until `find` returns a value. Later output is read and discarded, because a full pipe would
/// block the program. If the output ends first, the error is that output.
pub fn wait_for_line<T>(
    output: impl Read + Send + 'static,
    find: impl Fn(&str) -> Option<T>,
) -> Result<T, String> {
    let mut printed = String::new();
    let mut lines = BufReader::new(output).lines();
    for line in lines.by_ref().map_while(Result::ok) {
        if let Some(found) = find(&line) {
            thread::spawn(move || lines.for_each(drop));
            return Ok(found);
        }
        printed.push_str(&line);
        printed.push('\n');
    }
    Err(printed)
}

/// Error text for a program that could not be started.
pub fn not_started(command: &Command) -> String {
    format!("cannot start `{}`; is it installed and on PATH?", command.get_program().to_string_lossy())
}

/// The command as it would be typed.
fn line(command: &Command) -> String {
    let program = Path::new(command.get_program());
    let mut words = vec![program.file_name().unwrap_or_default().to_string_lossy().into_owned()];
    words.extend(command.get_args().map(|word| word.to_string_lossy().into_owned()));
    words.join(" ")
}

#[cfg(test)]
mod tests {
    use super::wait_for_line;

    #[test]
    fn a_line_is_found_or_the_whole_output_is_the_error() {
        let port = |line: &str| line.strip_prefix("port ").map(str::to_owned);
        assert_eq!(wait_for_line(&b"starting\nport 3000\nready\n"[..], port), Ok("3000".to_owned()));
        assert_eq!(wait_for_line(&b"starting\nfailed\n"[..], port), Err("starting\nfailed\n".to_owned()));
    }
}
