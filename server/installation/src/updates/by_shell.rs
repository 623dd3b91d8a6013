//! `farthing update` and `farthing rollback` beside a running server: the server performs the run, with its
//! own environment and settings. The shell asks it over a socket in the data folder, which only the owner can
//! use.
//!
//! INVARIANT: the two may be of different versions. A request is a line, `update` or `rollback`; the answer
//! is a line, `started ID` or `refused REASON`.

use std::io::{Error, ErrorKind};
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::net::{UnixListener, UnixStream};
use tokio::time::timeout;

use super::run::Target;
use super::start::start;
use crate::Installation;
use crate::ids::RunId;
use platform::log_field::logged;

/// In the data folder.
const SOCKET: &str = "control.sock";
const LINE_BYTES_MAX: u64 = 4096;
/// The time for a request, and for the start of a run, which may wait for locks.
const WAIT_MAX: Duration = Duration::from_secs(30);
/// Delay before the next shell is accepted after an error, such as too many open files.
const RETRY_DELAY: Duration = Duration::from_secs(1);

const STARTED: &str = "started ";
const REFUSED: &str = "refused ";

/// Why the server has started no run.
#[derive(Debug, thiserror::Error)]
pub enum AskError {
    #[error("can't reach the running server: {0}")]
    Io(#[from] Error),
    #[error("{0}")]
    Refused(String),
    #[error("the running server does not answer")]
    TooSlow,
    #[error("the answer of the running server can't be read")]
    Answer,
}

/// Asks the server with this data folder to start a run, and returns its id; `None` if the server is of an
/// earlier version.
pub async fn ask(data_dir: &Path, target: Target) -> Result<Option<RunId>, AskError> {
    let mut stream = match UnixStream::connect(data_dir.join(SOCKET)).await {
        Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::ConnectionRefused) => {
            return Ok(None);
        }
        stream => stream?,
    };
    stream.write_all(format!("{}\n", name(target)).as_bytes()).await?;
    let answer = timeout(WAIT_MAX, read_line(&mut stream)).await.map_err(|_| AskError::TooSlow)??;
    match (answer.strip_prefix(STARTED), answer.strip_prefix(REFUSED)) {
        (Some(id), _) => id.parse().map(Some).map_err(|_| AskError::Answer),
        (None, Some(reason)) => Err(AskError::Refused(reason.to_owned())),
        (None, None) => Err(AskError::Answer),
    }
}

/// Answers shells until this server is told to stop.
pub async fn serve_shells(installation: Arc<Installation>) {
    let stopping = installation.stopping.clone();
    let listener = match listen(&installation.settings.data_dir) {
        Ok(listener) => listener,
        Err(error) => {
            tracing::warn!(error = logged(&error), "a shell has to perform an update by itself");
            return;
        }
    };
    let work = async {
        loop {
            match listener.accept().await {
                Ok((stream, _)) => {
                    tokio::spawn(answer(Arc::clone(&installation), stream));
                }
                Err(error) => {
                    tracing::warn!(error = logged(&error), "can't accept a shell");
                    tokio::time::sleep(RETRY_DELAY).await;
                }
            }
        }
    };
    stopping.run_until_cancelled(work).await;
}

/// Replaces the socket of an earlier server.
fn listen(data_dir: &Path) -> Result<UnixListener, Error> {
    let path = data_dir.join(SOCKET);
    match std::fs::remove_file(&path) {
        Err(error) if error.kind() != ErrorKind::NotFound => return Err(error),
        _ => {}
    }
    UnixListener::bind(path)
}

async fn answer(installation: Arc<Installation>, mut stream: UnixStream) {
    let Ok(Ok(request)) = timeout(WAIT_MAX, read_line(&mut stream)).await else { return };
    let targets = [Target::Latest, Target::Previous];
    let answer = match targets.into_iter().find(|target| name(*target) == request) {
        None => format!("{REFUSED}the running server does not know this request"),
        Some(target) => match start(&installation, None, target).await {
            Ok(run) => format!("{STARTED}{}", run.id),
            Err(error) => format!("{REFUSED}{}", error.to_string().replace(['\n', '\r'], " ")),
        },
    };
    // The shell may have ended.
    let _ = stream.write_all(format!("{answer}\n").as_bytes()).await;
}

async fn read_line(stream: &mut UnixStream) -> Result<String, Error> {
    let mut line = String::new();
    BufReader::new(stream.take(LINE_BYTES_MAX)).read_line(&mut line).await?;
    Ok(line.trim_end().to_owned())
}

fn name(target: Target) -> &'static str {
    match target {
        Target::Latest => "update",
        Target::Previous => "rollback",
    }
}
