//! Compression of answers, on threads of low priority: a connection thread serves many connections, bids
//! among them, and must not be held up by one answer.

use std::convert::Infallible;
use std::future::ready;

use crate::codes;
use axum::body::{self, Body, HttpBody};
use axum::extract::Request;
use axum::http::{HeaderValue, header};
use axum::response::{IntoResponse, Response};
use platform::http::problem::Problem;
use platform::log_field::logged;
use tokio::sync::Semaphore;
use tower::{Layer, ServiceExt, service_fn};
use tower_http::CompressionLevel;
use tower_http::compression::{CompressionLayer, DefaultPredicate, Predicate, predicate::SizeAbove};

/// A smaller answer, such as a redirect, fits three packets anyway, and to compress it costs more than to
/// write it.
const COMPRESS_FROM_BYTES: u16 = 4096;
/// Larger answers take milliseconds and are compressed on a thread of their own.
const INLINE_MAX_BYTES: u64 = 64 * 1024;
/// Large answers that are compressed or wait for it. Each is in memory meanwhile; further ones are sent as
/// they are.
const LARGE_MAX: usize = 32;
/// Cheap enough for every answer.
const COMPRESSION: CompressionLevel = CompressionLevel::Precise(4);

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

    /// Compresses an answer that is worth it. No other answer passes the layer, whose body has kilobytes of
    /// room for the compressor: 5,000 live streams took 14 MB more.
    pub async fn compress(&self, mut response: Response, accepted: Option<HeaderValue>) -> Response {
        // The default predicate does not compress event streams.
        let is_worth_it = SizeAbove::new(COMPRESS_FROM_BYTES).and(DefaultPredicate::new());
        let is_encoded = response.headers().contains_key(header::CONTENT_ENCODING);
        if is_encoded || !is_worth_it.should_compress(&response) {
            return response;
        }
        // A body of unknown length would be compressed part by part, on the thread of its connection.
        let Some(length) = response.body().size_hint().exact() else { return response };
        let is_large = length > INLINE_MAX_BYTES;
        let admitted = is_large.then(|| self.admitted.try_acquire()).transpose();
        let Ok(_admitted) = admitted else {
            response.headers_mut().append(header::VARY, HeaderValue::from_name(header::ACCEPT_ENCODING));
            return response;
        };
        let mut request = Request::new(());
        if let Some(accepted) = accepted {
            request.headers_mut().insert(header::ACCEPT_ENCODING, accepted);
        }
        let mut response = Some(response);
        let respond = service_fn(move |_| ready(Ok::<_, Infallible>(response.take().unwrap_or_default())));
        let layer = CompressionLayer::new().quality(COMPRESSION).compress_when(is_worth_it);
        let Ok(compressed) = layer.layer(respond).oneshot(request).await;
        let compressed = compressed.map(Body::new);
        if !compressed.headers().contains_key(header::CONTENT_ENCODING) {
            return compressed;
        }
        let (parts, body) = compressed.into_parts();
        // Reading the body compresses it. An unread body would keep the compressor, which is larger than the
        // result.
        let read = body::to_bytes(body, usize::MAX);
        let bytes = if is_large {
            // The semaphore is never closed.
            let _permit = self.large.acquire().await;
            let read = tokio::task::spawn_blocking(move || futures::executor::block_on(read));
            read.await.map_err(axum::Error::new).flatten()
        } else {
            read.await
        };
        match bytes {
            Ok(bytes) => Response::from_parts(parts, bytes.into()),
            Err(error) => {
                tracing::error!(error = logged(&error), "an answer can't be compressed");
                Problem::plain(codes::INTERNAL).into_response()
            }
        }
    }
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
