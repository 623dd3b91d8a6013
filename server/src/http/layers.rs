//! The layers around all routes, from the outside in: compression; the request's id, the common headers and the writing of
//! problems; panics; the source of the request; the limit on reads.

use std::any::Any;

use axum::Router;
use axum::extract::{Request, State};
use axum::middleware::{Next, from_fn_with_state, map_request_with_state};
use axum::response::{IntoResponse, Response};
use tower::ServiceBuilder;
use tower_http::CompressionLevel;
use tower_http::catch_panic::CatchPanicLayer;
use tower_http::compression::{CompressionLayer, DefaultPredicate, Predicate, predicate::SizeAbove};

use super::document::Problems;
use crate::state::AppState;
use platform::http::cross_site::mark_source;
use platform::http::headers::set_headers;
use platform::http::problem::{Code, Problem};
use platform::http::read_limiter::limit_reads;
use platform::http::request_id::{CurrentRequest, RequestId};

/// Smaller responses fit one packet anyway.
const COMPRESS_FROM_BYTES: u16 = 1024;
/// Cheap enough for every response.
const COMPRESSION: CompressionLevel = CompressionLevel::Precise(4);

/// Adds all layers to the routes.
pub fn layered(routes: Router, state: &AppState) -> Router {
    // The default predicate does not compress event streams.
    let is_worth_it = SizeAbove::new(COMPRESS_FROM_BYTES).and(DefaultPredicate::new());
    routes.layer(
        ServiceBuilder::new()
            .layer(CompressionLayer::new().quality(COMPRESSION).compress_when(is_worth_it))
            .layer(from_fn_with_state(state.clone(), complete))
            .layer(CatchPanicLayer::custom(after_panic))
            .layer(map_request_with_state(state.http.clone(), mark_source))
            .layer(from_fn_with_state(state.reads.clone(), limit_reads)),
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

fn after_panic(panic: Box<dyn Any + Send>) -> Response {
    let text = panic.downcast_ref::<&str>().copied();
    let text = text.or_else(|| panic.downcast_ref::<String>().map(String::as_str)).unwrap_or("");
    tracing::error!(panic = text, "a handler panicked");
    Problem::plain(Code::Internal).into_response()
}
