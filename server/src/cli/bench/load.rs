//! A load generator: raw HTTP/1.1 over persistent connections, one request at a time on each. It is simple, so that it
//! takes little processor time from the server on the same machine.

use std::fmt::Write;
use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::task::JoinSet;

use super::processes::Processes;

/// The warm-up, which is not counted.
const WARM_UP: Duration = Duration::from_millis(300);

#[derive(Debug, thiserror::Error)]
pub enum LoadError {
    #[error(transparent)]
    Io(#[from] std::io::Error),
    #[error("the server answered with {status}: {text}")]
    Refused { status: u16, text: String },
    #[error("the answer is not HTTP")]
    NoHttp,
    #[error("a client panicked")]
    Panicked,
    #[error("not every listener received a bid")]
    NotDelivered,
}

/// Writes the next request of the nth connection.
type NextRequest = dyn Fn(usize, &mut String) + Send + Sync;

/// The requests, the server and the duration.
pub struct Load {
    address: SocketAddr,
    processes: Processes,
    length: Duration,
    connections: usize,
    next: Arc<NextRequest>,
}

/// The counts of answers.
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
    over: AtomicBool,
}

/// A sample of the counts and the processor time.
struct Reading {
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

    /// Successful requests, and bids that break a rule, per second.
    pub fn decided(&self) -> f64 {
        (self.accepted + self.rejected) as f64 / self.seconds
    }

    /// The server's processor time per answered request, in seconds.
    pub fn cpu_each(&self) -> f64 {
        self.cpu_seconds / (self.accepted + self.rejected) as f64
    }

    /// The processor time per answered request, that of the load generator included.
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

    pub async fn run(&self) -> Result<Measured, LoadError> {
        let tally = Arc::new(Tally::default());
        let mut clients = JoinSet::new();
        for n in 0..self.connections {
            clients.spawn(client(self.address, n, Arc::clone(&self.next), Arc::clone(&tally)));
        }
        tokio::time::sleep(WARM_UP).await;
        let before = self.read(&tally)?;
        tokio::time::sleep(self.length).await;
        let after = self.read(&tally)?;
        tally.over.store(true, Ordering::Relaxed);
        while let Some(ended) = clients.join_next().await {
            ended.map_err(|_| LoadError::Panicked)??;
        }
        Ok(Measured {
            accepted: after.accepted - before.accepted,
            rejected: after.rejected - before.rejected,
            seconds: (after.at - before.at).as_secs_f64(),
            cpu_seconds: after.cpu_seconds - before.cpu_seconds,
            client_cpu_seconds: after.client_cpu_seconds - before.client_cpu_seconds,
        })
    }

    fn read(&self, tally: &Tally) -> Result<Reading, LoadError> {
        Ok(Reading {
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
) -> Result<(), LoadError> {
    let mut stream = TcpStream::connect(address).await?;
    stream.set_nodelay(true)?;
    let mut request = String::new();
    let mut answer = Vec::with_capacity(16 * 1024);
    while !tally.over.load(Ordering::Relaxed) {
        request.clear();
        next(n, &mut request);
        stream.write_all(request.as_bytes()).await?;
        match read(&mut stream, &mut answer).await? {
            200..=299 => tally.accepted.fetch_add(1, Ordering::Relaxed),
            422 => tally.rejected.fetch_add(1, Ordering::Relaxed),
            status => {
                return Err(LoadError::Refused { status, text: String::from_utf8_lossy(&answer).into() });
            }
        };
    }
    Ok(())
}

/// Reads one answer completely and returns its status.
pub async fn read(stream: &mut TcpStream, answer: &mut Vec<u8>) -> Result<u16, LoadError> {
    answer.clear();
    loop {
        if stream.read_buf(answer).await? == 0 {
            return Err(LoadError::NoHttp);
        }
        if is_whole(answer) {
            let status = answer.get(9..12).and_then(|digits| std::str::from_utf8(digits).ok()?.parse().ok());
            return status.ok_or(LoadError::NoHttp);
        }
    }
}

/// Whether the answer is complete. No other answer follows, because there is one request at a time.
fn is_whole(answer: &[u8]) -> bool {
    let Some(head) = answer.windows(4).position(|window| window == b"\r\n\r\n") else { return false };
    let length = answer[..head].split(|byte| *byte == b'\n').find_map(|line| {
        let (name, value) = line.split_at_checked(16)?;
        let value = std::str::from_utf8(value).ok()?;
        name.eq_ignore_ascii_case(b"content-length: ").then(|| value.trim().parse::<usize>().ok())?
    });
    match length {
        Some(length) => answer.len() >= head + 4 + length,
        // A chunked body ends with an empty chunk.
        None => answer.ends_with(b"\r\n0\r\n\r\n"),
    }
}

/// Writes a request with a JSON body.
pub fn post(request: &mut String, path: &str, token: &str, body: &str) {
    // Writing to a string never fails.
    let _ = write!(
        request,
        "POST {path} HTTP/1.1\r\nhost: localhost\r\ncookie: farthing_session={token}\r\n\
         content-type: application/json\r\ncontent-length: {}\r\n\r\n{body}",
        body.len()
    );
}

pub fn get(request: &mut String, path: &str, token: &str) {
    let _ =
        write!(request, "GET {path} HTTP/1.1\r\nhost: localhost\r\ncookie: farthing_session={token}\r\n\r\n");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_ends_where_it_says() {
        assert!(!is_whole(b"HTTP/1.1 200 OK\r\n"));
        assert!(!is_whole(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{"));
        assert!(is_whole(b"HTTP/1.1 200 OK\r\nA: b\r\nContent-Length: 2\r\n\r\n{}"));
        assert!(!is_whole(b"HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n1\r\nx\r\n"));
        assert!(is_whole(b"HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n1\r\nx\r\n0\r\n\r\n"));
    }
}
