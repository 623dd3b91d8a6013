//! An HTTP/1.1 client for one connection to one server. It replaces a crate, because every crate of this tool
//! delays the first step of a fresh clone.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::time::Duration;

use anyhow::{Context, Result, bail};

const BROKEN: &str = "the connection to the server broke";

pub struct HttpClient {
    stream: BufReader<TcpStream>,
    host: String,
    /// The cookies that the server has set, as they are sent.
    cookie: Option<String>,
}

pub struct Response {
    pub status: u16,
    pub body: Vec<u8>,
}

impl HttpClient {
    /// `address` as in `127.0.0.1:3000`.
    pub fn connect(address: &str) -> Result<Self> {
        let stream = TcpStream::connect(address).with_context(|| format!("cannot connect to {address}"))?;
        stream.set_nodelay(true)?;
        stream.set_read_timeout(Some(Duration::from_secs(30)))?;
        Ok(Self { stream: BufReader::new(stream), host: address.to_owned(), cookie: None })
    }

    /// A new connection in the session of another one.
    pub fn resume(address: &str, cookie: Option<&str>) -> Result<Self> {
        Ok(Self { cookie: cookie.map(str::to_owned), ..Self::connect(address)? })
    }

    pub fn cookie(&self) -> Option<&str> {
        self.cookie.as_deref()
    }

    pub fn get(&mut self, path: &str, encoding: &str) -> Result<Response> {
        self.request("GET", path, &format!("Accept-Encoding: {encoding}\r\n"), "")
    }

    pub fn get_json(&mut self, path: &str) -> Result<serde_json::Value> {
        read_json(path, &self.get(path, "identity")?)
    }

    pub fn post_json(&mut self, path: &str, body: &serde_json::Value) -> Result<serde_json::Value> {
        read_json(path, &self.send_json("POST", path, body)?)
    }

    pub fn send_json(&mut self, method: &str, path: &str, body: &serde_json::Value) -> Result<Response> {
        let body = body.to_string();
        let headers = format!("Content-Type: application/json\r\nContent-Length: {}\r\n", body.len());
        self.request(method, path, &headers, &body)
    }

    fn request(&mut self, method: &str, path: &str, headers: &str, body: &str) -> Result<Response> {
        let cookie = self.cookie.as_ref().map(|cookie| format!("Cookie: {cookie}\r\n")).unwrap_or_default();
        let host = &self.host;
        let request = format!("{method} {path} HTTP/1.1\r\nHost: {host}\r\n{cookie}{headers}\r\n{body}");
        self.stream.get_mut().write_all(request.as_bytes()).context(BROKEN)?;
        self.read_response()
    }

    fn read_response(&mut self) -> Result<Response> {
        let status_line = self.line()?;
        let status = status_line
            .split(' ')
            .nth(1)
            .and_then(|status| status.parse().ok())
            .with_context(|| format!("the server answered `{status_line}`"))?;
        let mut length = 0;
        let mut chunked = false;
        loop {
            let line = self.line()?;
            let Some((name, value)) = line.split_once(':') else { break };
            let value = value.trim();
            match name.to_ascii_lowercase().as_str() {
                "content-length" => length = value.parse().unwrap_or(0),
                "transfer-encoding" => chunked = value.eq_ignore_ascii_case("chunked"),
                "set-cookie" => self.keep_cookie(value.split(';').next().unwrap_or_default()),
                _ => {}
            }
        }
        let mut body = Vec::new();
        if chunked {
            loop {
                let size = usize::from_str_radix(&self.line()?, 16)
                    .context("the server sent a chunk without a size")?;
                self.read_into(&mut body, size)?;
                self.line()?;
                if size == 0 {
                    break;
                }
            }
        } else {
            self.read_into(&mut body, length)?;
        }
        Ok(Response { status, body })
    }

    /// Keeps a cookie in the place of an earlier one of its name.
    fn keep_cookie(&mut self, cookie: &str) {
        let name = cookie.split('=').next();
        let kept = self.cookie.take().unwrap_or_default();
        let others = kept.split("; ").filter(|other| !other.is_empty() && other.split('=').next() != name);
        self.cookie = Some(others.chain([cookie]).collect::<Vec<_>>().join("; "));
    }

    fn read_into(&mut self, body: &mut Vec<u8>, size: usize) -> Result<()> {
        let begin = body.len();
        body.resize(begin + size, 0);
        self.stream.read_exact(&mut body[begin..]).context(BROKEN)
    }

    fn line(&mut self) -> Result<String> {
        let mut line = String::new();
        self.stream.read_line(&mut line).context(BROKEN)?;
        Ok(line.trim_end().to_owned())
    }
}

fn read_json(path: &str, response: &Response) -> Result<serde_json::Value> {
    if !(200..300).contains(&response.status) {
        bail!("{path} answered {}: {}", response.status, String::from_utf8_lossy(&response.body));
    }
    if response.body.is_empty() {
        return Ok(serde_json::Value::Null);
    }
    serde_json::from_slice(&response.body).with_context(|| format!("{path} did not answer JSON"))
}
