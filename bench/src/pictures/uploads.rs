//! Uploads at once, on a thread of their own: they are not to delay the bidders within this process.

use std::net::SocketAddr;
use std::sync::Arc;
use std::thread::JoinHandle;

use tokio::io::AsyncWriteExt;
use tokio::net::TcpStream;
use tokio::task::JoinSet;

use crate::load::{self, MeasureError};
use crate::target::Server;

/// Uploads that have begun.
pub struct Uploads {
    thread: JoinHandle<Result<Vec<String>, MeasureError>>,
}

impl Uploads {
    /// Begins to upload the picture for each of so many items.
    pub fn start(server: &Server, count: usize, picture: Arc<[u8]>) -> Result<Self, MeasureError> {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
        let (address, token) = (server.target.address, server.target.filled.owner.clone());
        let paths: Vec<String> =
            server.target.filled.items.iter().take(count).map(|item| format!("/api{item}/images")).collect();
        let thread = std::thread::Builder::new().name("uploads".to_owned()).spawn(move || {
            runtime.block_on(async {
                let mut uploads = JoinSet::new();
                for path in paths {
                    uploads.spawn(upload(address, path, token.clone(), Arc::clone(&picture)));
                }
                let mut added = Vec::new();
                while let Some(ended) = uploads.join_next().await {
                    added.push(ended.map_err(|_| MeasureError::Panicked)??);
                }
                Ok(added)
            })
        })?;
        Ok(Self { thread })
    }

    /// Waits until every picture is added, and removes them, so that the items have room for others.
    pub async fn finish(self, server: &Server) -> Result<(), MeasureError> {
        let joined = tokio::task::spawn_blocking(move || self.thread.join()).await;
        let added = joined.map_err(|_| MeasureError::Panicked)?.map_err(|_| MeasureError::Panicked)??;
        let mut stream = TcpStream::connect(server.target.address).await?;
        let (mut request, mut answer) = (String::new(), Vec::new());
        for path in added {
            request.clear();
            load::send(&mut request, "DELETE", &path, &server.target.filled.owner, "");
            stream.write_all(request.as_bytes()).await?;
            match load::read(&mut stream, &mut answer).await? {
                204 => {}
                status => return Err(MeasureError::refused(status, &answer)),
            }
        }
        Ok(())
    }
}

/// Uploads a picture. Returns its path.
async fn upload(
    address: SocketAddr,
    path: String,
    token: String,
    picture: Arc<[u8]>,
) -> Result<String, MeasureError> {
    const HEAD: &str =
        "--picture\r\ncontent-disposition: form-data; name=\"image\"; filename=\"large\"\r\n\r\n";
    const END: &str = "\r\n--picture--\r\n";
    let length = HEAD.len() + picture.len() + END.len();
    let head = format!(
        "POST {path} HTTP/1.1\r\nhost: localhost\r\ncookie: farthing_session={token}\r\n\
         content-type: multipart/form-data; boundary=picture\r\ncontent-length: {length}\r\n\r\n{HEAD}"
    );
    let mut stream = TcpStream::connect(address).await?;
    let mut answer = Vec::new();
    for part in [head.as_bytes(), &picture, END.as_bytes()] {
        stream.write_all(part).await?;
    }
    match load::read(&mut stream, &mut answer).await? {
        201 => {}
        status => return Err(MeasureError::refused(status, &answer)),
    }
    let answer = String::from_utf8_lossy(&answer);
    let location = answer.lines().find_map(|line| line.strip_prefix("location: "));
    location.map(|path| path.trim().to_owned()).ok_or(MeasureError::InvalidHttp)
}
