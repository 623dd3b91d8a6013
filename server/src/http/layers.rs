//! What every request passes, from the outside in: compression, a name, the headers, the problem writer, the net
//! for panics, the judgement where it comes from, and for what reads its turn.

use std::any::Any;
use std::panic::AssertUnwindSafe;

use axum::Router;
use axum::extract::{Request, State};
use axum::middleware::{Next, from_fn_with_state};
use axum::response::{IntoResponse, Response};
use futures::FutureExt;
use tower::ServiceBuilder;
use tower_http::CompressionLevel;
use tower_http::compression::{CompressionLayer, DefaultPredicate, Predicate, predicate::SizeAbove};
use tracing::Instrument;

use super::cross_site::judge_source;
use super::document::Problems;
use super::headers::set_headers;
use super::problem::{Code, Problem};
use super::request_id::RequestId;
use super::turns::in_turn;
use crate::state::AppState;

/// Smaller answers fit one packet anyway.
const COMPRESS_FROM_BYTES: u16 = 1024;
/// Cheap enough to be paid for every answer.
const COMPRESSION: CompressionLevel = CompressionLevel::Precise(4);

/// Puts the layers around `router`.
pub fn around(router: Router, state: &AppState) -> Router {
    // The default predicate leaves streams of events alone.
    let compressed = DefaultPredicate::new().and(SizeAbove::new(COMPRESS_FROM_BYTES));
    router.layer(
        ServiceBuilder::new()
            .layer(CompressionLayer::new().quality(COMPRESSION).compress_when(compressed))
            .layer(from_fn_with_state(state.clone(), pass)),
    )
}

/// One layer for all the steps: each layer moves every request and every answer, and costs more than its step.
async fn pass(State(state): State<AppState>, mut request: Request, next: Next) -> Response {
    let id = RequestId::new(state.clock.now());
    let span = id.span(&request);
    let problems = Problems::of(&request);
    judge_source(&state.settings, &mut request);
    let answering = AssertUnwindSafe(in_turn(&state.turns, request, next)).catch_unwind();
    let answer = answering.instrument(span.clone()).await;
    let _entered = span.enter();
    let mut response = problems.write(answer.unwrap_or_else(after_panic), id, &state.site);
    set_headers(response.headers_mut());
    id.name(response.headers_mut());
    tracing::debug!(status = response.status().as_u16(), "answered");
    response
}

fn after_panic(panic: Box<dyn Any + Send>) -> Response {
    let text = panic.downcast_ref::<&str>().copied();
    let text = text.or_else(|| panic.downcast_ref::<String>().map(String::as_str)).unwrap_or("");
    tracing::error!(panic = text, "a handler panicked");
    Problem::plain(Code::Internal).into_response()
}
