//! A client that allocates nothing while it sends and receives.

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};

/// The largest answer.
const ANSWER_MAX: usize = 256 * 1024;

/// A connection with the session of a user.
pub struct Client {
    stream: TcpStream,
    token: String,
    answer: Vec<u8>,
}

impl Client {
    pub fn connect(address: SocketAddr, token: &str) -> Self {
        let stream = TcpStream::connect(address).expect("a connection");
        stream.set_nodelay(true).expect("an open socket");
        Self { stream, token: token.to_owned(), answer: vec![0; ANSWER_MAX] }
    }

    pub fn get(&self, path: &str) -> String {
        self.request("GET", path, "accept-encoding: br\r\n")
    }

    pub fn post(&self, path: &str, body: &str) -> String {
        let headers = format!("content-type: application/json\r\ncontent-length: {}\r\n", body.len());
        self.request("POST", path, &headers) + body
    }

    fn request(&self, method: &str, path: &str, headers: &str) -> String {
        let token = &self.token;
        format!(
            "{method} {path} HTTP/1.1\r\nhost: localhost\r\ncookie: farthing_session={token}\r\n{headers}\r\n"
        )
    }

    /// Sends a request and reads its answer.
    pub fn exchange(&mut self, request: &str, status: u16) {
        self.send(request);
        self.receive(status);
    }

    pub fn send(&mut self, request: &str) {
        self.stream.write_all(request.as_bytes()).expect("an open connection");
    }

    pub fn receive(&mut self, status: u16) {
        let mut length = 0;
        while !is_complete(&self.answer[..length]) {
            let read = self.stream.read(&mut self.answer[length..]).expect("an open connection");
            assert_ne!(read, 0, "an answer that ends early, or is larger than {ANSWER_MAX} bytes");
            length += read;
        }
        let answer = &self.answer[..length];
        let answered = answer.get(9..12).and_then(|digits| std::str::from_utf8(digits).ok()?.parse().ok());
        assert_eq!(answered, Some(status), "{}", String::from_utf8_lossy(answer));
    }
}

/// Whether the answer is complete. Its length is known, and nothing follows it.
fn is_complete(answer: &[u8]) -> bool {
    const LENGTH: &[u8] = b"content-length: ";
    let Some(head) = answer.windows(4).position(|window| window == b"\r\n\r\n") else { return false };
    let length = answer[..head].split(|byte| *byte == b'\n').find_map(|line| line.strip_prefix(LENGTH));
    let length = length.and_then(|digits| std::str::from_utf8(digits).ok()?.trim().parse::<usize>().ok());
    answer.len() >= head + 4 + length.unwrap_or(0)
}
