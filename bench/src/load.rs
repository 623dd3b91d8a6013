//! A client that sends each request as soon as the previous one is answered: plain HTTP/1.1 over persistent
//! connections, one request at a time on each. It uses little processor time, because it shares the machine
//! with the server.

use std::fmt::Write;
use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::task::JoinSet;

use crate::processes::Processes;

/// Time before the measurement starts.
const WARM_UP: Duration = Duration::from_millis(300);

#[derive(Debug, thiserror::Error)]
pub enum MeasureError {
    #[error(transparent)]
    Io(#[from] std::io::Error),
    #[error("answered with {status}: {text}")]
    Refused { status: u16, text: String },
    #[error("the answer is not HTTP")]
    InvalidHttp,
    #[error("a client panicked")]
    Panicked,
    #[error("not every listener received a bid")]
    NotDelivered,
    #[error("the hostile clients may not do what they attack with")]
    Forbidden,
    #[error("the database does not contain what is measured")]
    NotFilled,
    #[error("valgrind has not counted the instructions")]
    NotCounted,
    #[error("can't make a picture: {0}")]
    Picture(String),
}

impl MeasureError {
    pub fn refused(status: u16, answer: &[u8]) -> Self {
        Self::Refused { status, text: String::from_utf8_lossy(answer).into() }
    }
}

/// Writes the next request of the nth connection.
type NextRequest = dyn Fn(usize, &mut String) + Send + Sync;

/// Requests to one address on several connections, for a length of time.
pub struct Load {
    address: SocketAddr,
    processes: Processes,
    length: Duration,
    connections: usize,
    next: Arc<NextRequest>,
}

/// Answers and processor time during a measurement.
#[derive(Debug, Clone, Copy)]
pub struct Measured {
    accepted: u64,
    rejected: u64,
    seconds: f64,
    cpu_seconds: f64,
    client_cpu_seconds: f64,
}

#[derive(Default)]
struct Tally {
    accepted: AtomicU64,
    rejected: AtomicU64,
    finished: AtomicBool,
}

/// The tally and the processor time at one moment.
struct Sample {
    at: Instant,
    accepted: u64,
    rejected: u64,
    cpu_seconds: f64,
    client_cpu_seconds: f64,
}

impl Measured {
    /// Successful requests per second.
    pub fn accepted(&self) -> f64 {
        self.accepted as f64 / self.seconds
    }

    /// Successful requests and refused bids per second.
    pub fn decided(&self) -> f64 {
        (self.accepted + self.rejected) as f64 / self.seconds
    }

    /// The server's processor time per decided request, in seconds.
    pub fn cpu_each(&self) -> f64 {
        self.cpu_seconds / (self.accepted + self.rejected) as f64
    }

    /// Processor time of server and client per decided request, in seconds.
    pub fn cpu_each_with_client(&self) -> f64 {
        (self.cpu_seconds + self.client_cpu_seconds) / (self.accepted + self.rejected) as f64
    }
}

impl Load {
    pub fn new(
        address: SocketAddr,
        processes: Processes,
        length: Duration,
        connections: usize,
        next: impl Fn(usize, &mut String) + Send + Sync + 'static,
    ) -> Self {
        Self { address, processes, length, connections, next: Arc::new(next) }
    }

    pub async fn run(&self) -> Result<Measured, MeasureError> {
        let tally = Arc::new(Tally::default());
        let mut clients = JoinSet::new();
        for n in 0..self.connections {
            clients.spawn(client(self.address, n, Arc::clone(&self.next), Arc::clone(&tally)));
        }
        tokio::time::sleep(WARM_UP).await;
        let before = self.sample(&tally)?;
        tokio::time::sleep(self.length).await;
        let after = self.sample(&tally)?;
        tally.finished.store(true, Ordering::Relaxed);
        while let Some(ended) = clients.join_next().await {
            ended.map_err(|_| MeasureError::Panicked)??;
        }
        Ok(Measured {
            accepted: after.accepted - before.accepted,
            rejected: after.rejected - before.rejected,
            seconds: (after.at - before.at).as_secs_f64(),
            cpu_seconds: after.cpu_seconds - before.cpu_seconds,
            client_cpu_seconds: after.client_cpu_seconds - before.client_cpu_seconds,
        })
    }

    fn sample(&self, tally: &Tally) -> Result<Sample, MeasureError> {
        Ok(Sample {
            at: Instant::now(),
            accepted: tally.accepted.load(Ordering::Relaxed),
            rejected: tally.rejected.load(Ordering::Relaxed),
            cpu_seconds: self.processes.cpu_seconds()?,
            client_cpu_seconds: Processes::own_cpu_seconds()?,
        })
    }
}

async fn client(
    address: SocketAddr,
    n: usize,
    next: Arc<NextRequest>,
    tally: Arc<Tally>,
) -> Result<(), MeasureError> {
    let mut stream = TcpStream::connect(address).await?;
    stream.set_nodelay(true)?;
    let mut request = String::new();
    let mut answer = Vec::with_capacity(16 * 1024);
    while !tally.finished.load(Ordering::Relaxed) {
        request.clear();
        next(n, &mut request);
        stream.write_all(request.as_bytes()).await?;
        match read(&mut stream, &mut answer).await? {
            200..=299 => tally.accepted.fetch_add(1, Ordering::Relaxed),
            422 => tally.rejected.fetch_add(1, Ordering::Relaxed),
            status => return Err(MeasureError::refused(status, &answer)),
        };
    }
    Ok(())
}

/// Reads one answer to its end. Returns its status.
pub async fn read(stream: &mut TcpStream, answer: &mut Vec<u8>) -> Result<u16, MeasureError> {
    answer.clear();
    loop {
        if stream.read_buf(answer).await? == 0 {
            return Err(MeasureError::InvalidHttp);
        }
        if is_complete(answer) {
            let status = answer.get(9..12).and_then(|digits| std::str::from_utf8(digits).ok()?.parse().ok());
            return status.ok_or(MeasureError::InvalidHttp);
        }
    }
}

/// Whether the answer is complete. Nothing follows it, because there is one request at a time.
pub fn is_complete(answer: &[u8]) -> bool {
    let Some(head) = answer.windows(4).position(|window| window == b"\r\n\r\n") else { return false };
    let length = answer[..head].split(|byte| *byte == b'\n').find_map(|line| {
        let (name, value) = line.split_at_checked(16)?;
        let value = std::str::from_utf8(value).ok()?;
        name.eq_ignore_ascii_case(b"content-length: ").then(|| value.trim().parse::<usize>().ok())?
    });
    match length {
        Some(length) => answer.len() >= head + 4 + length,
        None if answer.get(9..12) == Some(b"204") => true,
        // Chunked: the last chunk is empty.
        None => answer.ends_with(b"\r\n0\r\n\r\n"),
    }
}

/// Writes a POST request with a JSON body.
pub fn post(request: &mut String, path: &str, token: &str, body: &str) {
    send(request, "POST", path, token, body);
}

/// Writes a request with a JSON body.
pub fn send(request: &mut String, method: &str, path: &str, token: &str, body: &str) {
    // Writing to a string can't fail.
    let _ = write!(
        request,
        "{method} {path} HTTP/1.1\r\nhost: localhost\r\ncookie: farthing_session={token}\r\n\
         content-type: application/json\r\ncontent-length: {}\r\n\r\n{body}",
        body.len()
    );
}

/// Writes a POST request with a JSON body and an idempotency key.
pub fn post_keyed(request: &mut String, path: &str, token: &str, key: &str, body: &str) {
    let _ = write!(
        request,
        "POST {path} HTTP/1.1\r\nhost: localhost\r\ncookie: farthing_session={token}\r\n\
         idempotency-key: {key}\r\ncontent-type: application/json\r\ncontent-length: {}\r\n\r\n{body}",
        body.len()
    );
}

/// Writes a GET request.
pub fn get(request: &mut String, path: &str, token: &str) {
    let _ =
        write!(request, "GET {path} HTTP/1.1\r\nhost: localhost\r\ncookie: farthing_session={token}\r\n\r\n");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_ends_after_its_body() {
        assert!(!is_complete(b"HTTP/1.1 200 OK\r\n"));
        assert!(!is_complete(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{"));
        assert!(is_complete(b"HTTP/1.1 200 OK\r\nA: b\r\nContent-Length: 2\r\n\r\n{}"));
        assert!(!is_complete(b"HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n1\r\nx\r\n"));
        assert!(is_complete(b"HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n1\r\nx\r\n0\r\n\r\n"));
    }
}
