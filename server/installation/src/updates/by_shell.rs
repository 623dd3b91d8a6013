//! `farthing update` and `farthing rollback` beside a running server: the server performs the run, with its
//! own environment and settings. The shell asks it over a socket in the data folder, which only the owner can
//! use.
//!
//! INVARIANT: the two may be of different versions. A request is a line, `update` or `rollback`; the answer
//! is a line, `started ID` or `refused REASON`.

use std::fs::File;
use std::io::{Error, ErrorKind};
use std::os::fd::AsRawFd;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::net::{UnixListener, UnixStream};
use tokio::time::timeout;

use super::run::RunTarget;
use super::start::start;
use crate::Installation;
use crate::ids::RunId;
use platform::log_field::logged;

/// In the data folder.
const SOCKET: &str = "control.sock";
/// Bytes of the path of a socket that every system takes.
const PATH_BYTES_MAX: usize = 100;
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
pub async fn ask(data_dir: &Path, target: RunTarget) -> Result<Option<RunId>, AskError> {
    let address = match SocketAddress::of(data_dir) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
        address => address?,
    };
    let mut stream = match UnixStream::connect(&address.path).await {
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

/// Where the socket is reached.
struct SocketAddress {
    path: PathBuf,
    /// Keeps the path valid.
    _folder: Option<File>,
}

impl SocketAddress {
    /// The path of the socket, or a short one through the opened folder: the system takes about a hundred
    /// bytes as the address of a socket.
    fn of(data_dir: &Path) -> Result<Self, Error> {
        let path = data_dir.join(SOCKET);
        if path.as_os_str().len() <= PATH_BYTES_MAX || !cfg!(target_os = "linux") {
            return Ok(Self { path, _folder: None });
        }
        let folder = File::open(data_dir)?;
        let path = Path::new("/proc/self/fd").join(folder.as_raw_fd().to_string()).join(SOCKET);
        Ok(Self { path, _folder: Some(folder) })
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
    let address = SocketAddress::of(data_dir)?;
    UnixListener::bind(&address.path)
}

async fn answer(installation: Arc<Installation>, mut stream: UnixStream) {
    let Ok(Ok(request)) = timeout(WAIT_MAX, read_line(&mut stream)).await else { return };
    let targets = [RunTarget::Latest, RunTarget::Previous];
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

fn name(target: RunTarget) -> &'static str {
    match target {
        RunTarget::Latest => "update",
        RunTarget::Previous => "rollback",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn the_socket_is_reached_in_a_folder_with_a_long_path() {
        let folder = tempfile::tempdir().unwrap();
        for data_dir in [folder.path().to_owned(), folder.path().join("data".repeat(50))] {
            std::fs::create_dir_all(&data_dir).unwrap();
            let listener = listen(&data_dir).unwrap();
            let server = async {
                let (mut stream, _) = listener.accept().await.unwrap();
                assert_eq!(read_line(&mut stream).await.unwrap(), "rollback");
                stream.write_all(b"refused by the test\n").await.unwrap();
            };
            let (asked, ()) = tokio::join!(ask(&data_dir, RunTarget::Previous), server);
            let refused = matches!(&asked, Err(AskError::Refused(reason)) if reason == "by the test");
            assert!(refused, "{asked:?}");
        }
    }
}
