//! As much of HTTP/1.1 as it takes to ask this one server over and over on one connection.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::time::Duration;

use crate::failure::{Failure, Outcome};

pub struct Client {
    stream: BufReader<TcpStream>,
    host: String,
    /// Sent along once the server has given it.
    cookie: Option<String>,
}

pub struct Answer {
    pub status: u16,
    pub body: Vec<u8>,
}

impl Client {
    /// `address` as in `127.0.0.1:3000`.
    pub fn connect(address: &str) -> Outcome<Self> {
        let stream = TcpStream::connect(address).map_err(|error| broken(&error))?;
        stream.set_nodelay(true).map_err(|error| broken(&error))?;
        stream.set_read_timeout(Some(Duration::from_secs(30))).map_err(|error| broken(&error))?;
        Ok(Self { stream: BufReader::new(stream), host: address.to_owned(), cookie: None })
    }

    pub fn get(&mut self, path: &str, encoding: &str) -> Outcome<Answer> {
        self.ask("GET", path, &format!("Accept-Encoding: {encoding}\r\n"), "")
    }

    pub fn get_json(&mut self, path: &str) -> Outcome<serde_json::Value> {
        read_json(path, &self.get(path, "identity")?)
    }

    pub fn post_json(&mut self, path: &str, body: &serde_json::Value) -> Outcome<serde_json::Value> {
        let body = body.to_string();
        let headers = format!("Content-Type: application/json\r\nContent-Length: {}\r\n", body.len());
        read_json(path, &self.ask("POST", path, &headers, &body)?)
    }

    fn ask(&mut self, method: &str, path: &str, headers: &str, body: &str) -> Outcome<Answer> {
        let cookie = self.cookie.as_ref().map(|cookie| format!("Cookie: {cookie}\r\n")).unwrap_or_default();
        let host = &self.host;
        let request = format!("{method} {path} HTTP/1.1\r\nHost: {host}\r\n{cookie}{headers}\r\n{body}");
        self.stream.get_mut().write_all(request.as_bytes()).map_err(|error| broken(&error))?;
        self.read_answer()
    }

    fn read_answer(&mut self) -> Outcome<Answer> {
        let status_line = self.line()?;
        let status = status_line
            .split(' ')
            .nth(1)
            .and_then(|status| status.parse().ok())
            .ok_or_else(|| Failure::new(format!("the server answered `{status_line}`")))?;
        let mut length = 0;
        let mut chunked = false;
        loop {
            let line = self.line()?;
            let Some((name, value)) = line.split_once(':') else { break };
            let value = value.trim();
            match name.to_ascii_lowercase().as_str() {
                "content-length" => length = value.parse().unwrap_or(0),
                "transfer-encoding" => chunked = value.eq_ignore_ascii_case("chunked"),
                "set-cookie" => self.cookie = value.split(';').next().map(str::to_owned),
                _ => {}
            }
        }
        let mut body = Vec::new();
        if chunked {
            loop {
                let size = usize::from_str_radix(&self.line()?, 16)
                    .map_err(|_| Failure::new("the server sent a chunk without a size"))?;
                self.read_into(&mut body, size)?;
                self.line()?;
                if size == 0 {
                    break;
                }
            }
        } else {
            self.read_into(&mut body, length)?;
        }
        Ok(Answer { status, body })
    }

    fn read_into(&mut self, body: &mut Vec<u8>, size: usize) -> Outcome<()> {
        let begin = body.len();
        body.resize(begin + size, 0);
        self.stream.read_exact(&mut body[begin..]).map_err(|error| broken(&error))
    }

    fn line(&mut self) -> Outcome<String> {
        let mut line = String::new();
        self.stream.read_line(&mut line).map_err(|error| broken(&error))?;
        Ok(line.trim_end().to_owned())
    }
}

fn read_json(path: &str, answer: &Answer) -> Outcome<serde_json::Value> {
    if !(200..300).contains(&answer.status) {
        let body = String::from_utf8_lossy(&answer.body);
        return Err(Failure::new(format!("{path} answered {}: {body}", answer.status)));
    }
    if answer.body.is_empty() {
        return Ok(serde_json::Value::Null);
    }
    serde_json::from_slice(&answer.body)
        .map_err(|error| Failure::new(format!("{path} answered something that is not JSON: {error}")))
}

fn broken(error: &std::io::Error) -> Failure {
    Failure::new(format!("the connection to the server broke: {error}"))
}
