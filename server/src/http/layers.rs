//! The steps around all routes, from the outside in: the request's id, the common headers and the writing of
//! problems; the host of the request; requests from other sites; panics; the limit on reads; compression and
//! memory.

use std::any::Any;
use std::convert::Infallible;
use std::panic::AssertUnwindSafe;
use std::task::{Context, Poll};
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use axum::extract::{FromRequestParts, Request};
use axum::http::{HeaderValue, Method, StatusCode, Uri, Version, header};
use axum::response::{IntoResponse, Response};
use futures::FutureExt;
use futures::future::BoxFuture;
use tower::Service;

use super::document::Problems;
use super::shared_file::SharedBody;
use crate::codes;
use crate::state::AppState;
use accounts::extract::CurrentClient;
use platform::http::cross_site;
use platform::http::headers::set_headers;
use platform::http::problem::Problem;
use platform::http::read_limiter::{RequestClass, limit_reads};
use platform::http::request_id::{CurrentRequest, RequestId};
use platform::low_priority;
use platform::net::{Client, ClientAddress};

/// The pause before an answer that refuses a request by a limit, or since the server is busy. A client that
/// repeats such a request at once, in a loop, costs little.
const REFUSAL_PAUSE: Duration = Duration::from_millis(50);

/// The routes with the steps around them. A service around the router instead of a layer of it, which the
/// router would box and clone for each request.
#[derive(Clone)]
pub struct Site {
    routes: Router,
    state: AppState,
}

/// Adds the steps to the routes.
pub fn layered(routes: Router, state: &AppState) -> Site {
    Site { routes, state: state.clone() }
}

impl Service<Request> for Site {
    type Response = Response;
    type Error = Infallible;
    type Future = BoxFuture<'static, Result<Response, Infallible>>;

    fn poll_ready(&mut self, context: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        Service::<Request>::poll_ready(&mut self.routes, context)
    }

    fn call(&mut self, request: Request) -> Self::Future {
        let Self { routes, state } = self.clone();
        let id = RequestId::new(state.context.clock.now());
        let current = CurrentRequest::new(id, &request);
        Box::pin(async move { Ok(current.scope(complete(state, id, request, routes)).await) })
    }
}

/// Writes the body of a problem, and sets the common headers.
async fn complete(state: AppState, id: RequestId, request: Request, mut routes: Router) -> Response {
    let problems = Problems::of(&request);
    let accepted = request.headers().get(header::ACCEPT_ENCODING).cloned();
    let mut refusal = cross_site::refusal(&state.http, &request);
    if refusal.is_some() {
        // A path or method that no route has is answered as for everybody.
        let (method, uri) = (request.method().clone(), request.uri().clone());
        if !Box::pin(has_route(&mut routes, &method, uri)).await {
            refusal = None;
        }
    }
    let response = if !has_valid_host(&request) {
        Problem::plain(codes::INVALID_HOST).into_response()
    } else if let Some(refusal) = refusal {
        refusal.into_response()
    } else {
        let (class, method) = (RequestClass::of(&request), request.method().clone());
        let (request, client) = client_of(&state, class, request).await;
        let shared = state.clone();
        let answer = move |request| {
            let answer = async move {
                let Ok(response) = routes.call(request).await;
                finish(&shared, response, (client, &method), accepted).await
            };
            let answer = AssertUnwindSafe(answer).catch_unwind();
            answer.map(|handled| handled.unwrap_or_else(after_panic))
        };
        let response = match class {
            RequestClass::Immediate => answer(request).await,
            RequestClass::LargeBody => {
                let (bodies, threads) = (&state.large_bodies, &state.low_priority);
                Box::pin(bodies.answer(threads, client, request, answer)).await
            }
            // Boxed, since it would enlarge the future of a bid.
            _ => {
                let (reads, threads) = (&state.reads, &state.low_priority);
                Box::pin(limit_reads(reads, threads, (class, client), request, answer)).await
            }
        };
        if matches!(response.status(), StatusCode::TOO_MANY_REQUESTS | StatusCode::SERVICE_UNAVAILABLE) {
            tokio::time::sleep(REFUSAL_PAUSE).await;
        }
        response
    };
    let mut response = problems.write(response, id, &state.assets);
    set_headers(response.headers_mut(), state.http.is_https());
    id.set_header(response.headers_mut());
    tracing::debug!(status = response.status().as_u16(), "answered");
    response
}

/// Whether a route has this path and method. No route handles OPTIONS, so that no handler runs: the router
/// answers with the methods of the path.
async fn has_route(routes: &mut Router, method: &Method, uri: Uri) -> bool {
    let mut question = Request::new(Body::empty());
    *question.method_mut() = Method::OPTIONS;
    *question.uri_mut() = uri;
    let Ok(answer) = routes.call(question).await;
    let methods = answer.headers().get(header::ALLOW).and_then(|methods| methods.to_str().ok()).unwrap_or("");
    let has_method = methods.split(',').any(|other| other == method.as_str());
    has_method || !matches!(answer.status(), StatusCode::NOT_FOUND | StatusCode::METHOD_NOT_ALLOWED)
}

/// Whether the request names one host (RFC 9112, section 3.2). Only HTTP/1.0 may name none.
fn has_valid_host(request: &Request) -> bool {
    match request.headers().get_all(header::HOST).iter().count() {
        0 => request.version() == Version::HTTP_10,
        count => count == 1,
    }
}

/// The client of the request. Of one that is answered at once it is the address, which costs nothing to find.
async fn client_of(state: &AppState, class: RequestClass, request: Request) -> (Request, Client) {
    let (mut parts, body) = request.into_parts();
    let client = if class == RequestClass::Immediate {
        let Ok(address) = ClientAddress::from_request_parts(&mut parts, state).await;
        address.into()
    } else {
        let Ok(CurrentClient(client)) = CurrentClient::from_request_parts(&mut parts, state).await;
        client
    };
    (Request::from_parts(parts, body), client)
}

/// Compresses an answer, unless that would hold up the thread of a connection, and takes memory for it.
async fn finish(
    state: &AppState,
    mut response: Response,
    (client, method): (Client, &Method),
    accepted: Option<HeaderValue>,
) -> Response {
    if response.extensions().get::<SharedBody>().is_some() {
        return response;
    }
    if low_priority::is_current() {
        // Boxed, since it would enlarge the future of every request.
        response = Box::pin(state.compressor.compress(response, accepted)).await;
    }
    state.answer_memory.hold_answer(client, method, response).await
}

fn after_panic(panic: Box<dyn Any + Send>) -> Response {
    let text = panic.downcast_ref::<&str>().copied();
    let text = text.or_else(|| panic.downcast_ref::<String>().map(String::as_str)).unwrap_or("");
    tracing::error!(panic = text, "a handler panicked");
    Problem::plain(codes::INTERNAL).into_response()
}
