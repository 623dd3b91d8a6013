//! What every request passes, from the outside in: compression, a name, the headers, the problem writer, the net
//! for panics, the judgement where it comes from, and for what reads its turn.

use std::any::Any;
use std::convert::Infallible;
use std::future::ready;
use std::panic::AssertUnwindSafe;
use std::pin::pin;

use axum::Router;
use axum::body::Body;
use axum::extract::Request;
use axum::http::{HeaderValue, header};
use axum::response::{IntoResponse, Response};
use futures::FutureExt;
use tower::{Layer, ServiceExt, service_fn};
use tower_http::CompressionLevel;
use tower_http::compression::{CompressionLayer, DefaultPredicate, Predicate, predicate::SizeAbove};

use super::document::Problems;
use crate::state::AppState;
use platform::http::cross_site::mark_source;
use platform::http::headers::set_headers;
use platform::http::problem::{Code, Problem};
use platform::http::request_id::{CurrentRequest, RequestId};
use platform::http::turns::in_turn;
use platform::net::Answers;

/// Smaller answers fit one packet anyway.
const COMPRESS_FROM_BYTES: u16 = 1024;
/// Cheap enough to be paid for every answer.
const COMPRESSION: CompressionLevel = CompressionLevel::Precise(4);

/// Routes with all that a request passes on its way to them. It stands around the router, and is no layer of it: a
/// router's layer is boxed and cloned for each request, which costs more than these steps.
#[derive(Clone)]
pub struct Layered {
    routes: Router,
    state: AppState,
}

impl Layered {
    pub fn new(routes: Router, state: AppState) -> Self {
        Self { routes, state }
    }

    async fn pass(&self, id: RequestId, mut request: Request) -> Response {
        let state = &self.state;
        let problems = Problems::of(&request);
        mark_source(&state.http, &mut request);
        let answering = AssertUnwindSafe(in_turn(&state.turns, request, &self.routes)).catch_unwind();
        let answer = answering.await;
        let mut response = problems.write(answer.unwrap_or_else(after_panic), id, &state.site);
        set_headers(response.headers_mut());
        id.set_header(response.headers_mut());
        tracing::debug!(status = response.status().as_u16(), "answered");
        response
    }
}

impl Answers for Layered {
    async fn answer(&self, request: Request) -> Response {
        let accepted = request.headers().get(header::ACCEPT_ENCODING).cloned();
        let id = RequestId::new(self.state.context.clock.now());
        let current = CurrentRequest::new(id, &request);
        // Pinned, since it is large to be moved.
        let passing = pin!(self.pass(id, request));
        let answer = current.scope(passing).await;
        compress(answer, accepted).await
    }
}

/// Compresses what is worth it, as the client can read it. Only that is handed to the layer, in which even an answer
/// that it leaves alone carries kilobytes of room for the compressor.
async fn compress(response: Response, accepted: Option<HeaderValue>) -> Response {
    // The default predicate leaves streams of events alone.
    let worth = SizeAbove::new(COMPRESS_FROM_BYTES).and(DefaultPredicate::new());
    if !worth.should_compress(&response) {
        return response;
    }
    let mut request = Request::new(());
    if let Some(accepted) = accepted {
        request.headers_mut().insert(header::ACCEPT_ENCODING, accepted);
    }
    let mut given = Some(response);
    let answered = service_fn(move |_| ready(Ok::<_, Infallible>(given.take().unwrap_or_default())));
    let layer = CompressionLayer::new().quality(COMPRESSION).compress_when(worth);
    let Ok(compressed) = layer.layer(answered).oneshot(request).await;
    compressed.map(Body::new)
}

fn after_panic(panic: Box<dyn Any + Send>) -> Response {
    let text = panic.downcast_ref::<&str>().copied();
    let text = text.or_else(|| panic.downcast_ref::<String>().map(String::as_str)).unwrap_or("");
    tracing::error!(panic = text, "a handler panicked");
    Problem::plain(Code::Internal).into_response()
}
