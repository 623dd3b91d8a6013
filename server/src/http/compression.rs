//! Compression of answers, on threads of low priority: a connection thread serves many connections, bids
//! among them, and must not be held up by one answer.

use axum::body::{self, Body, Bytes, HttpBody};
use axum::http::{HeaderMap, HeaderValue, header};
use axum::response::{IntoResponse, Response};
use platform::http::problem::Problem;
use platform::log_field::logged;
use tokio::sync::Semaphore;

use super::encoder::Encoding;
use crate::codes;

/// A smaller answer, such as a redirect, fits three packets anyway, and to compress it costs more than to
/// write it.
const COMPRESS_FROM_BYTES: u64 = 4096;
/// Larger answers take milliseconds and are compressed on a thread of their own.
const INLINE_MAX_BYTES: u64 = 64 * 1024;
/// Large answers that are compressed or wait for it. Each is in memory meanwhile; further ones are sent as
/// they are.
const LARGE_MAX: usize = 32;

/// Compresses answers, a bounded number of large ones at the same time.
#[derive(Debug)]
pub struct Compressor {
    large: Semaphore,
    /// Bounds the large answers that are compressed or wait for it.
    admitted: Semaphore,
}

impl Compressor {
    /// Half of the cores for large answers.
    pub fn for_this_machine() -> Self {
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        Self { large: Semaphore::new((cores / 2).max(1)), admitted: Semaphore::new(LARGE_MAX) }
    }

    /// Compresses an answer that is worth it and whose length is known: one of unknown length would be
    /// compressed part by part, on the thread of its connection.
    pub async fn compress(&self, mut response: Response, accepted: Option<HeaderValue>) -> Response {
        let length = response.body().size_hint().exact().filter(|length| *length >= COMPRESS_FROM_BYTES);
        let Some(length) = length.filter(|_| is_compressible(response.headers())) else { return response };
        response.headers_mut().append(header::VARY, HeaderValue::from_name(header::ACCEPT_ENCODING));
        let accepted = accepted.as_ref().and_then(|accepted| accepted.to_str().ok());
        let Some(encoding) = accepted.and_then(Encoding::of) else { return response };
        let is_large = length > INLINE_MAX_BYTES;
        let Ok(_admitted) = is_large.then(|| self.admitted.try_acquire()).transpose() else {
            return response;
        };
        let (mut parts, body) = response.into_parts();
        match self.encoded(body, encoding, is_large).await {
            Ok(bytes) => {
                parts.headers.insert(header::CONTENT_ENCODING, encoding.header());
                parts.headers.remove(header::CONTENT_LENGTH);
                parts.headers.remove(header::ACCEPT_RANGES);
                Response::from_parts(parts, bytes.into())
            }
            Err(error) => {
                tracing::error!(error = logged(&error), "an answer can't be compressed");
                Problem::plain(codes::INTERNAL).into_response()
            }
        }
    }

    async fn encoded(&self, body: Body, encoding: Encoding, is_large: bool) -> Result<Bytes, axum::Error> {
        let bytes = body::to_bytes(body, usize::MAX).await?;
        let encode = move || encoding.encode(&bytes).map(Bytes::from).map_err(axum::Error::new);
        if !is_large {
            return encode();
        }
        // The semaphore is never closed.
        let _permit = self.large.acquire().await;
        tokio::task::spawn_blocking(encode).await.map_err(axum::Error::new).flatten()
    }
}

/// Whether compression makes an answer with these headers smaller.
fn is_compressible(headers: &HeaderMap) -> bool {
    let kind = headers.get(header::CONTENT_TYPE).and_then(|kind| kind.to_str().ok()).unwrap_or_default();
    let is_picture = kind.starts_with("image/") && !kind.starts_with("image/svg+xml");
    let is_part =
        headers.contains_key(header::CONTENT_ENCODING) || headers.contains_key(header::CONTENT_RANGE);
    !is_picture && !is_part && !kind.starts_with("text/event-stream")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_small_answer_is_sent_uncompressed() {
        let compressor = Compressor::for_this_machine();
        let encoding = async |bytes: usize| {
            let answer = "x".repeat(bytes).into_response();
            let answer = compressor.compress(answer, Some(HeaderValue::from_static("br"))).await;
            answer.headers().get(header::CONTENT_ENCODING).cloned()
        };
        assert_eq!(encoding(4095).await, None);
        assert_eq!(encoding(4096).await, Some(HeaderValue::from_static("br")));
    }

    #[tokio::test]
    async fn an_answer_beyond_the_bound_is_sent_uncompressed_instead_of_waiting() {
        let compressor = Compressor::for_this_machine();
        let accepted = || Some(HeaderValue::from_static("gzip"));
        let large = || "all work and no play ".repeat(10_000).into_response();
        let others = compressor.admitted.acquire_many(32).await.unwrap();
        let busy = compressor.large.acquire_many(1).await.unwrap();
        let plain = compressor.compress(large(), accepted()).await;
        assert!(!plain.headers().contains_key(header::CONTENT_ENCODING));
        assert_eq!(plain.headers()[header::VARY], "accept-encoding");
        drop((others, busy));
        let compressed = compressor.compress(large(), accepted()).await;
        assert_eq!(compressed.headers()[header::CONTENT_ENCODING], "gzip");
    }
}
