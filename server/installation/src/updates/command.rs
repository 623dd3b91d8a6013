//! Commands of a run: lists of arguments without a shell, in an environment of their own, with an end.

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::process::{ExitStatus, Stdio};
use std::time::Duration;

use rustix::process::{Pid, Signal, kill_process_group};
use tokio::io::{AsyncRead, AsyncReadExt};
use tokio::process::{Child, Command};
use tokio::sync::mpsc;

/// How long what a command leaves behind may go on writing.
const LEFT_BEHIND_MAX: Duration = Duration::from_secs(2);
const READ_BYTES: usize = 8192;
/// Pieces of output that wait to be kept; a command that is faster waits.
const PIECES_MAX: usize = 16;

/// Something to be run.
#[derive(Debug, Clone)]
pub struct Task {
    program: OsString,
    arguments: Vec<OsString>,
    folder: PathBuf,
    environment: Vec<(OsString, OsString)>,
}

/// Who is told what a command writes, as it comes.
pub trait Listener: Send {
    fn hear(&mut self, piece: &[u8]) -> impl Future<Output = ()> + Send;
}

/// Keeps it.
impl Listener for Vec<u8> {
    async fn hear(&mut self, piece: &[u8]) {
        self.extend_from_slice(piece);
    }
}

/// Why a command did not do its work. The words are for the Deployment Admin.
#[derive(Debug, thiserror::Error)]
pub enum CommandError {
    #[error("`{command}` can't be run: {cause}")]
    Start { command: String, cause: std::io::Error },
    #[error("`{command}` failed with {status}")]
    Failed { command: String, status: String },
    #[error("`{command}` took longer than {seconds} s, and was stopped")]
    TooLong { command: String, seconds: u64 },
}

/// A running command with all that it has started. Dropped, it is killed.
#[derive(Debug)]
pub struct Running {
    child: Child,
    group: Option<Pid>,
    pub output: mpsc::Receiver<Vec<u8>>,
    shown: String,
}

impl Task {
    pub fn new(program: impl AsRef<OsStr>, folder: &Path) -> Self {
        let program = Path::new(program.as_ref());
        // With a slash in it, it is meant as seen from its folder; a bare name is looked up.
        let is_name =
            program.components().count() == 1 && !program.as_os_str().as_encoded_bytes().contains(&b'/');
        let program = if is_name { program.into() } else { folder.join(program).into_os_string() };
        Self { program, arguments: Vec::new(), folder: folder.to_owned(), environment: Vec::new() }
    }

    pub fn arguments<A: AsRef<OsStr>>(mut self, arguments: impl IntoIterator<Item = A>) -> Self {
        self.arguments.extend(arguments.into_iter().map(|argument| argument.as_ref().to_owned()));
        self
    }

    /// All that it knows of the environment.
    pub fn environment(mut self, variables: impl IntoIterator<Item = (OsString, OsString)>) -> Self {
        self.environment.extend(variables);
        self
    }

    /// As it is told.
    pub fn shown(&self) -> String {
        let words = std::iter::once(&self.program).chain(&self.arguments);
        let words = words.map(|word| word.to_string_lossy());
        words.collect::<Vec<_>>().join(" ").chars().take(200).collect()
    }

    pub fn start(&self) -> Result<Running, CommandError> {
        let mut command = Command::new(&self.program);
        command
            .args(&self.arguments)
            .current_dir(&self.folder)
            .env_clear()
            .envs(self.environment.iter().map(|(name, value)| (name, value)))
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .process_group(0)
            .kill_on_drop(true);
        let shown = self.shown();
        let started = command.spawn();
        let mut child = started.map_err(|cause| CommandError::Start { command: shown.clone(), cause })?;
        let group = child.id().and_then(|id| Pid::from_raw(i32::try_from(id).ok()?));
        let (pieces, output) = mpsc::channel(PIECES_MAX);
        forward(child.stdout.take(), pieces.clone());
        forward(child.stderr.take(), pieces);
        Ok(Running { child, group, output, shown })
    }

    /// Runs it to its end, which comes after `limit` at the latest.
    pub async fn run(&self, limit: Duration, listener: &mut impl Listener) -> Result<(), CommandError> {
        let mut running = self.start()?;
        let ended = tokio::time::timeout(limit, async {
            loop {
                tokio::select! {
                    biased;
                    Some(piece) = running.output.recv() => listener.hear(&piece).await,
                    status = running.child.wait() => return status,
                }
            }
        })
        .await;
        running.kill_group();
        let left = async {
            while let Some(piece) = running.output.recv().await {
                listener.hear(&piece).await;
            }
        };
        // A process that has left the group may hold the pipe open for ever.
        let _ = tokio::time::timeout(LEFT_BEHIND_MAX, left).await;
        let command = running.shown.clone();
        match ended {
            Err(_) => Err(CommandError::TooLong { command, seconds: limit.as_secs() }),
            Ok(Err(cause)) => Err(CommandError::Start { command, cause }),
            Ok(Ok(status)) if status.success() => Ok(()),
            Ok(Ok(status)) => Err(CommandError::Failed { command, status: told(status) }),
        }
    }
}

impl Running {
    /// Ends it, with all that it has started.
    pub async fn stop(mut self) {
        self.kill_group();
        // It ends at once.
        let _ = self.child.wait().await;
    }

    fn kill_group(&mut self) {
        // Once only: afterwards the number may be another one's.
        if let Some(group) = self.group.take() {
            // It may be gone already.
            let _ = kill_process_group(group, Signal::KILL);
        }
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        self.kill_group();
    }
}

fn told(status: ExitStatus) -> String {
    match status.code() {
        Some(code) => format!("exit code {code}"),
        None => status.to_string(),
    }
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
        let mut heard = Vec::new();
        let folder = tempfile::tempdir().unwrap();
        let task = Task::new("/bin/sh", folder.path()).arguments(["-c"]).arguments(arguments);
        let task = task.environment([("PATH".into(), "/usr/bin:/bin".into()), ("ONE".into(), "1".into())]);
        let done = task.run(limit, &mut heard).await;
        (done, String::from_utf8(heard).unwrap())
    }

    #[tokio::test]
    async fn what_it_writes_is_heard_to_the_end() {
        let (done, heard) = run(&["echo out; echo err >&2; seq 1 20000"], Duration::from_secs(60)).await;
        done.unwrap();
        assert!(heard.contains("out\n") && heard.contains("err\n") && heard.ends_with("20000\n"));
    }

    #[tokio::test]
    async fn its_environment_is_what_it_is_given() {
        let (done, heard) = run(&["env"], Duration::from_secs(60)).await;
        done.unwrap();
        let names: Vec<&str> = heard.lines().filter_map(|line| Some(line.split_once('=')?.0)).collect();
        assert!(names.contains(&"ONE"), "{heard}");
        assert!(!names.contains(&"CARGO") && !names.contains(&"HOME"), "{heard}");
    }

    #[tokio::test]
    async fn a_failure_is_told_by_its_code() {
        let (done, _) = run(&["exit 7"], Duration::from_secs(60)).await;
        assert!(done.unwrap_err().to_string().ends_with("failed with exit code 7"));
        let missing = Task::new("./no-such-program", Path::new("/"));
        let missing = missing.run(Duration::from_secs(1), &mut Vec::new()).await;
        assert!(missing.unwrap_err().to_string().starts_with("`/./no-such-program` can't be run"));
    }

    /// With all that it has started.
    #[tokio::test]
    async fn what_takes_too_long_is_stopped() {
        let (done, heard) = run(&["sleep 1000 & echo $!; wait"], Duration::from_millis(300)).await;
        assert!(matches!(done, Err(CommandError::TooLong { .. })));
        let child = heard.trim().to_owned();
        let state = || std::fs::read_to_string(format!("/proc/{child}/stat")).unwrap_or_default();
        for _ in 0..100 {
            // A killed process that nobody waits for stays as a zombie.
            if state().is_empty() || state().contains(") Z ") {
                return;
            }
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        panic!("it goes on: {}", state());
    }
}
