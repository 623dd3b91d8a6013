//! A client of the API that prepares what is measured, one request at a time.

use std::net::SocketAddr;

use serde_json::Value;
use tokio::io::AsyncWriteExt;
use tokio::net::TcpStream;

use crate::load::{self, MeasureError};

pub struct BenchClient {
    stream: TcpStream,
    /// Its session. Empty without an account.
    token: String,
}

impl BenchClient {
    pub async fn open(address: SocketAddr, token: &str) -> Result<Self, MeasureError> {
        Ok(Self { stream: TcpStream::connect(address).await?, token: token.to_owned() })
    }

    pub async fn get(&mut self, path: &str) -> Result<Value, MeasureError> {
        let mut request = String::new();
        load::get(&mut request, path, &self.token);
        self.ask(request.as_bytes()).await
    }

    pub async fn post(&mut self, path: &str, body: &str) -> Result<Value, MeasureError> {
        self.send("POST", path, body).await
    }

    pub async fn send(&mut self, method: &str, path: &str, body: &str) -> Result<Value, MeasureError> {
        let mut request = String::new();
        load::send(&mut request, method, path, &self.token, body);
        self.ask(request.as_bytes()).await
    }

    /// Creates something that needs a key.
    pub async fn post_keyed(&mut self, path: &str, body: &str) -> Result<Value, MeasureError> {
        self.post_with_key(path, "1", body).await
    }

    pub async fn post_with_key(&mut self, path: &str, key: &str, body: &str) -> Result<Value, MeasureError> {
        let mut request = String::new();
        load::post_keyed(&mut request, path, &self.token, key, body);
        self.ask(request.as_bytes()).await
    }

    /// Sends a file with this key.
    pub async fn post_file(
        &mut self,
        path: &str,
        content_type: &str,
        key: &str,
        file: &[u8],
    ) -> Result<Value, MeasureError> {
        let head = format!(
            "POST {path} HTTP/1.1\r\nhost: localhost\r\ncookie: farthing_session={}\r\n\
             idempotency-key: {key}\r\ncontent-type: {content_type}\r\ncontent-length: {}\r\n\r\n",
            self.token,
            file.len()
        );
        self.ask(&[head.as_bytes(), file].concat()).await
    }

    /// Sends a request, and returns the body of its answer.
    async fn ask(&mut self, request: &[u8]) -> Result<Value, MeasureError> {
        let mut answer = Vec::new();
        self.stream.write_all(request).await?;
        let status = load::read(&mut self.stream, &mut answer).await?;
        if !(200..300).contains(&status) {
            return Err(MeasureError::refused(status, &answer));
        }
        let body = answer.windows(4).position(|window| window == b"\r\n\r\n").map(|head| head + 4);
        let body = body.and_then(|body| answer.get(body..)).ok_or(MeasureError::InvalidHttp)?;
        serde_json::from_slice(body).map_err(|_| MeasureError::InvalidHttp)
    }
}

/// The text of this member.
pub fn text(document: &Value, member: &str) -> Result<String, MeasureError> {
    document[member].as_str().map(str::to_owned).ok_or(MeasureError::NotFilled)
}
