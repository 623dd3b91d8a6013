//! The layers around all routes, from the outside in: compression; the request's id, the common headers and the writing of
//! problems; panics; the source of the request; the limit on reads.

use std::any::Any;
use std::convert::Infallible;
use std::future::ready;

use axum::Router;
use axum::body::Body;
use axum::extract::{Request, State};
use axum::http::header;
use axum::middleware::{Next, from_fn, from_fn_with_state, map_request_with_state};
use axum::response::{IntoResponse, Response};
use tower::{Layer, ServiceBuilder, ServiceExt, service_fn};
use tower_http::CompressionLevel;
use tower_http::catch_panic::CatchPanicLayer;
use tower_http::compression::{CompressionLayer, DefaultPredicate, Predicate, predicate::SizeAbove};

use super::document::Problems;
use crate::state::AppState;
use platform::http::cross_site::mark_source;
use platform::http::headers::set_headers;
use platform::http::problem::{Code, Problem};
use platform::http::request_id::{CurrentRequest, RequestId};
use platform::http::turns::in_turn;

/// Smaller responses fit one packet anyway.
const COMPRESS_FROM_BYTES: u16 = 1024;
/// Cheap enough for every response.
const COMPRESSION: CompressionLevel = CompressionLevel::Precise(4);

/// Adds all layers to the routes.
pub fn layered(routes: Router, state: &AppState) -> Router {
    routes.layer(
        ServiceBuilder::new()
            .layer(from_fn(compress))
            .layer(from_fn_with_state(state.clone(), complete))
            .layer(CatchPanicLayer::custom(after_panic))
            .layer(map_request_with_state(state.http.clone(), mark_source))
            .layer(from_fn_with_state(state.turns.clone(), in_turn)),
    )
}

/// Gives the request its id, writes the body of a problem, and sets the common headers.
async fn complete(State(state): State<AppState>, request: Request, next: Next) -> Response {
    let id = RequestId::new(state.context.clock.now());
    let problems = Problems::of(&request);
    let current = CurrentRequest::new(id, &request);
    let handler = async {
        let mut response = problems.write(next.run(request).await, id, &state.site);
        set_headers(response.headers_mut());
        id.set_header(response.headers_mut());
        tracing::debug!(status = response.status().as_u16(), "answered");
        response
    };
    current.scope(handler).await
}

/// Compresses what is worth it, as the client can read it. Only that is handed to the layer, in which even an answer
/// that it leaves alone carries kilobytes of room for the compressor.
async fn compress(request: Request, next: Next) -> Response {
    let accepted = request.headers().get(header::ACCEPT_ENCODING).cloned();
    let response = next.run(request).await;
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
