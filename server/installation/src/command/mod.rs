//! Commands: without a shell, with an environment of their own, in a process group of their own, and with
//! limits on their time and output.

pub mod guard;

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::process::{ExitStatus, Stdio};
use std::time::Duration;

use process_wrap::tokio::{ChildWrapper, CommandWrap, KillOnDrop, ProcessGroup};
use tokio::io::{AsyncRead, AsyncReadExt};
use tokio::process::{ChildStdin, Command};
use tokio::sync::mpsc;

/// How long output of background processes is read after the command has ended.
const BACKGROUND_MAX: Duration = Duration::from_secs(2);
const READ_BYTES: usize = 8192;
/// The maximum number of pieces of output in the queue. A faster command has to wait.
const PIECES_MAX: usize = 16;
/// The end of the output that is searched for the reason of a failure.
const LAST_BYTES: usize = 1024;

/// A command to run.
#[derive(Debug, Clone)]
pub struct Task {
    program: OsString,
    arguments: Vec<OsString>,
    folder: PathBuf,
    environment: Vec<(OsString, OsString)>,
    output_max: usize,
    /// The binary of Farthing that guards the command.
    guard: Option<PathBuf>,
}

/// Receives the output of a command as it is written.
pub trait OutputSink: Send {
    fn write(&mut self, piece: &[u8]) -> impl Future<Output = ()> + Send;
}

impl OutputSink for Vec<u8> {
    async fn write(&mut self, piece: &[u8]) {
        self.extend_from_slice(piece);
    }
}

/// Takes no notice of the output. The error of a command has its last line.
#[derive(Debug)]
pub struct Discard;

impl OutputSink for Discard {
    async fn write(&mut self, _: &[u8]) {}
}

/// Why a command failed, for the Deployment Admin.
#[derive(Debug, thiserror::Error)]
pub enum CommandError {
    #[error("`{command}` can't be run: {cause}")]
    Start { command: String, cause: std::io::Error },
    #[error("`{command}` failed with {status}{}{last}", if last.is_empty() { "" } else { ": " })]
    Failed {
        command: String,
        status: String,
        /// The last line of its output, which usually is the reason.
        last: String,
    },
    #[error("`{command}` took longer than {seconds} s, and was stopped")]
    TooLong { command: String, seconds: u64 },
    #[error("`{command}` wrote more than {bytes} bytes, and was stopped")]
    TooMuch { command: String, bytes: usize },
}

impl CommandError {
    /// The reason without the command line, for a page.
    pub fn reason(&self) -> String {
        match self {
            Self::Start { cause, .. } => format!("the program can't be run: {cause}"),
            Self::Failed { status, last, .. } if last.is_empty() => {
                format!("the program failed with {status}")
            }
            Self::Failed { last, .. } => last.clone(),
            Self::TooLong { seconds, .. } => {
                format!("the program took longer than {seconds} s, and was stopped")
            }
            Self::TooMuch { bytes, .. } => {
                format!("the program wrote more than {bytes} bytes, and was stopped")
            }
        }
    }
}

/// A running command and the processes that it has started. They are killed on drop.
#[derive(Debug)]
pub struct Running {
    /// The leader of the process group.
    child: Box<dyn ChildWrapper>,
    is_killed: bool,
    pub output: mpsc::Receiver<Vec<u8>>,
    shown: String,
    /// The guard kills the command when this closes.
    _guarded: Option<ChildStdin>,
}

impl Task {
    pub fn new(program: impl AsRef<OsStr>, folder: &Path) -> Self {
        let program = Path::new(program.as_ref());
        // A path is relative to the folder; a bare name is looked up in PATH.
        let is_name =
            program.components().count() == 1 && !program.as_os_str().as_encoded_bytes().contains(&b'/');
        let program = if is_name { program.into() } else { folder.join(program).into_os_string() };
        let folder = folder.to_owned();
        Self {
            program,
            arguments: Vec::new(),
            folder,
            environment: Vec::new(),
            output_max: usize::MAX,
            guard: None,
        }
    }

    /// Lets `binary`, if there is one, kill the command when this process ends.
    pub fn guarded_by(mut self, binary: Option<&Path>) -> Self {
        self.guard = binary.map(ToOwned::to_owned);
        self
    }

    pub fn arguments<A: AsRef<OsStr>>(mut self, arguments: impl IntoIterator<Item = A>) -> Self {
        self.arguments.extend(arguments.into_iter().map(|argument| argument.as_ref().to_owned()));
        self
    }

    /// Lets [`Task::run`] kill a command that writes more than this.
    pub fn output_max(mut self, bytes: usize) -> Self {
        self.output_max = bytes;
        self
    }

    /// Adds variables. The command inherits no others.
    pub fn environment(mut self, variables: impl IntoIterator<Item = (OsString, OsString)>) -> Self {
        self.environment.extend(variables);
        self
    }

    /// Removes a variable.
    pub fn without(mut self, name: &str) -> Self {
        self.environment.retain(|(given, _)| given != name);
        self
    }

    /// The command as text, truncated.
    pub fn shown(&self) -> String {
        let words = std::iter::once(&self.program).chain(&self.arguments);
        let words = words.map(|word| word.to_string_lossy());
        words.collect::<Vec<_>>().join(" ").chars().take(200).collect()
    }

    pub fn start(&self) -> Result<Running, CommandError> {
        let mut command = match &self.guard {
            None => Command::new(&self.program),
            Some(binary) => {
                let mut command = Command::new(binary);
                command.args([guard::SUBCOMMAND, "--"]).arg(&self.program);
                command
            }
        };
        command
            .args(&self.arguments)
            .current_dir(&self.folder)
            .env_clear()
            .envs(self.environment.iter().map(|(name, value)| (name, value)))
            .stdin(if self.guard.is_some() { Stdio::piped() } else { Stdio::null() })
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        let shown = self.shown();
        let started = CommandWrap::from(command).wrap(ProcessGroup::leader()).wrap(KillOnDrop).spawn();
        let mut child = started.map_err(|cause| CommandError::Start { command: shown.clone(), cause })?;
        let (pieces, output) = mpsc::channel(PIECES_MAX);
        forward(child.stdout().take(), pieces.clone());
        forward(child.stderr().take(), pieces);
        let guarded = child.stdin().take();
        Ok(Running { child, is_killed: false, output, shown, _guarded: guarded })
    }

    /// Runs the command to its end, or kills it after `limit`.
    pub async fn run(&self, limit: Duration, sink: &mut impl OutputSink) -> Result<(), CommandError> {
        let mut running = self.start()?;
        let (mut last, mut written) = (Vec::new(), 0_usize);
        let ended = tokio::time::timeout(limit, async {
            loop {
                tokio::select! {
                    biased;
                    Some(piece) = running.output.recv() => {
                        written += piece.len();
                        if written > self.output_max {
                            return None;
                        }
                        keep_last(&mut last, &piece);
                        sink.write(&piece).await;
                    }
                    status = running.child.wait() => return Some(status),
                }
            }
        })
        .await;
        running.kill_group();
        let rest = async {
            while let Some(piece) = running.output.recv().await {
                written += piece.len();
                if written > self.output_max {
                    return;
                }
                keep_last(&mut last, &piece);
                sink.write(&piece).await;
            }
        };
        // A process that has left the group may hold the pipe open forever.
        let _ = tokio::time::timeout(BACKGROUND_MAX, rest).await;
        let command = running.shown.clone();
        match ended {
            _ if written > self.output_max => Err(CommandError::TooMuch { command, bytes: self.output_max }),
            Err(_) | Ok(None) => Err(CommandError::TooLong { command, seconds: limit.as_secs() }),
            Ok(Some(Err(cause))) => Err(CommandError::Start { command, cause }),
            Ok(Some(Ok(status))) if status.success() => Ok(()),
            Ok(Some(Ok(status))) => {
                Err(CommandError::Failed { command, status: describe(status), last: last_line(&last) })
            }
        }
    }
}

impl Running {
    /// Kills the command and the processes that it has started.
    pub async fn stop(mut self) {
        self.kill_group();
        // A killed process ends at once.
        let _ = self.child.wait().await;
    }

    fn kill_group(&mut self) {
        // Only once: afterwards the id may belong to another process group.
        if !std::mem::replace(&mut self.is_killed, true) {
            // It may have ended already.
            let _ = self.child.start_kill();
        }
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        self.kill_group();
    }
}

fn describe(status: ExitStatus) -> String {
    match status.code() {
        Some(code) => format!("exit code {code}"),
        None => status.to_string(),
    }
}

fn keep_last(last: &mut Vec<u8>, piece: &[u8]) {
    last.extend_from_slice(piece);
    let excess = last.len().saturating_sub(LAST_BYTES);
    last.drain(..excess);
}

fn last_line(output: &[u8]) -> String {
    let text = String::from_utf8_lossy(output);
    let line = text.lines().rev().map(str::trim).find(|line| !line.is_empty()).unwrap_or_default();
    line.chars().filter(|char| !char.is_control()).collect()
}

fn forward(pipe: Option<impl AsyncRead + Unpin + Send + 'static>, pieces: mpsc::Sender<Vec<u8>>) {
    let Some(mut pipe) = pipe else { return };
    tokio::spawn(async move {
        let mut buffer = [0; READ_BYTES];
        while let Ok(length @ 1..) = pipe.read(&mut buffer).await {
            if pieces.send(buffer[..length].to_vec()).await.is_err() {
                return;
            }
        }
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    async fn run(arguments: &[&str], limit: Duration) -> (Result<(), CommandError>, String) {
        let mut output = Vec::new();
        let folder = tempfile::tempdir().unwrap();
        let task = Task::new("/bin/sh", folder.path()).arguments(["-c"]).arguments(arguments);
        let task = task.environment([("PATH".into(), "/usr/bin:/bin".into()), ("ONE".into(), "1".into())]);
        let done = task.run(limit, &mut output).await;
        (done, String::from_utf8(output).unwrap())
    }

    #[tokio::test]
    async fn all_output_is_read() {
        let (done, output) = run(&["echo out; echo err >&2; seq 1 20000"], Duration::from_secs(60)).await;
        done.unwrap();
        assert!(output.contains("out\n") && output.contains("err\n") && output.ends_with("20000\n"));
    }

    #[tokio::test]
    async fn the_environment_is_only_what_was_given() {
        let (done, output) = run(&["env"], Duration::from_secs(60)).await;
        done.unwrap();
        let names: Vec<&str> = output.lines().filter_map(|line| Some(line.split_once('=')?.0)).collect();
        assert!(names.contains(&"ONE"), "{output}");
        assert!(!names.contains(&"CARGO") && !names.contains(&"HOME"), "{output}");
    }

    #[tokio::test]
    async fn a_failure_has_the_exit_code() {
        let (done, _) = run(&["exit 7"], Duration::from_secs(60)).await;
        assert!(done.unwrap_err().to_string().ends_with("failed with exit code 7"));
        let missing = Task::new("./no-such-program", Path::new("/"));
        let missing = missing.run(Duration::from_secs(1), &mut Vec::new()).await;
        assert!(missing.unwrap_err().to_string().starts_with("`/./no-such-program` can't be run"));
        let (done, _) =
            run(&["echo begins; echo the disk is full >&2; echo; exit 1"], Duration::from_secs(60)).await;
        let reason = done.unwrap_err().to_string();
        assert!(reason.ends_with("failed with exit code 1: the disk is full"), "{reason}");
    }

    #[tokio::test]
    async fn a_command_that_writes_too_much_is_killed() {
        let task =
            Task::new("/bin/sh", Path::new("/")).arguments(["-c", "cat /dev/zero"]).output_max(100_000);
        let mut output = Vec::new();
        let done = task.run(Duration::from_secs(60), &mut output).await;
        assert!(matches!(done, Err(CommandError::TooMuch { bytes: 100_000, .. })), "{done:?}");
        assert!(output.len() <= 100_000);
        // Also if it has ended before all that it wrote was read.
        let task = Task::new("/bin/echo", Path::new("/")).arguments(["more"]).output_max(4);
        let done = task.run(Duration::from_secs(60), &mut Vec::new()).await;
        assert!(matches!(done, Err(CommandError::TooMuch { .. })), "{done:?}");
    }

    #[tokio::test]
    async fn a_timeout_kills_the_command_and_its_children() {
        let (done, output) = run(&["sleep 1000 & echo $!; wait"], Duration::from_millis(300)).await;
        assert!(matches!(done, Err(CommandError::TooLong { .. })));
        let child = output.trim().to_owned();
        let state = || std::fs::read_to_string(format!("/proc/{child}/stat")).unwrap_or_default();
        for _ in 0..100 {
            // A killed process stays as a zombie until it is reaped.
            if state().is_empty() || state().contains(") Z ") {
                return;
            }
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        panic!("the child still runs: {}", state());
    }
}
