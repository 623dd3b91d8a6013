//! What every request passes, from the outside in: a name, the headers, compression, the problem writer,
//! the net for panics, the judgement where it comes from, and for what reads its turn.

use std::any::Any;

use axum::Router;
use axum::middleware::{from_fn, from_fn_with_state};
use axum::response::{IntoResponse, Response};
use tower::ServiceBuilder;
use tower_http::CompressionLevel;
use tower_http::catch_panic::CatchPanicLayer;
use tower_http::compression::{CompressionLayer, DefaultPredicate, Predicate, predicate::SizeAbove};

use super::cross_site::judge_source;
use super::document::write_problems;
use super::headers::set_headers;
use super::problem::{Code, Problem};
use super::request_id::name_requests;
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
            .layer(from_fn_with_state(state.clone(), name_requests))
            .layer(from_fn(set_headers))
            .layer(CompressionLayer::new().quality(COMPRESSION).compress_when(compressed))
            .layer(from_fn_with_state(state.clone(), write_problems))
            .layer(CatchPanicLayer::custom(after_panic))
            .layer(from_fn_with_state(state.clone(), judge_source))
            .layer(from_fn_with_state(state.clone(), in_turn)),
    )
}

fn after_panic(panic: Box<dyn Any + Send>) -> Response {
    let text = panic.downcast_ref::<&str>().copied();
    let text = text.or_else(|| panic.downcast_ref::<String>().map(String::as_str)).unwrap_or("");
    tracing::error!(panic = text, "a handler panicked");
    Problem::plain(Code::Internal).into_response()
}
