//! The OpenAPI document, and the page to read and try it, both from the binary.

use std::sync::Arc;

use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderValue, header};
use axum::middleware::{Next, from_fn};
use axum::response::{Redirect, Response};
use axum::routing::get;
use axum::{Extension, Router};
use utoipa::OpenApi;
use utoipa::openapi::{self, ContentBuilder, Ref, ResponseBuilder};

use super::api_docs::{ApiDocs, DOCUMENT, INDEX};
use super::document::Document;
use super::problem_code::ProblemCode;
use crate::state::AppState;
use auction_house::items::list::ItemSort;
use platform::http::path::At;
use platform::http::problem::{FieldError, Problem};
use platform::net::ClientAddress;

/// The page's scripts and styles are files of ours. Its script writes style attributes, so these are let in.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; \
    img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

#[derive(OpenApi)]
#[openapi(
    info(
        title = "Farthing",
        description = "Auctions in any currency that can be defined. Decimals are read from their digits, \
            never through a float. Every refusal is a problem document with a stable `code`."
    ),
    external_docs(url = "/", description = "Back to Farthing"),
    components(schemas(Document<'_>, ProblemCode, FieldError, ItemSort))
)]
struct Outline;

/// The document before its routes.
pub fn outline() -> openapi::OpenApi {
    Outline::openapi()
}

/// Adds to each operation what all have in common: it may be refused with a problem.
pub fn complete(mut document: openapi::OpenApi) -> openapi::OpenApi {
    let refused = ResponseBuilder::new()
        .description("Refused: `code` says why")
        .content(
            "application/problem+json",
            ContentBuilder::new().schema(Some(Ref::from_schema_name("Problem"))).build(),
        )
        .build();
    for path in document.paths.paths.values_mut() {
        let operations = [&mut path.get, &mut path.post, &mut path.patch, &mut path.put, &mut path.delete];
        for operation in operations.into_iter().flatten() {
            let responses = &mut operation.responses.responses;
            responses.entry("default".to_owned()).or_insert_with(|| refused.clone().into());
        }
    }
    document
}

/// `/api/openapi.json` and `/api/docs`.
pub fn page(document: openapi::OpenApi) -> Router<AppState> {
    Router::new()
        .route("/api/openapi.json", get(async |request: FileRequest| answer(DOCUMENT, request).await))
        .route("/api/docs", get(async || Redirect::to("/api/docs/")))
        .route("/api/docs/", get(async |request: FileRequest| answer(INDEX, request).await))
        .route(
            "/api/docs/{file}",
            get(async |At(name): At<String>, request: FileRequest| answer(&name, request).await),
        )
        .layer(Extension(Arc::new(ApiDocs::new(&document))))
        .route_layer(from_fn(with_policy))
}

/// The files, and what an answer with one of them depends on.
type FileRequest = (Extension<Arc<ApiDocs>>, HeaderMap, ClientAddress, State<AppState>);

async fn answer(
    name: &str,
    (Extension(files), headers, address, State(state)): FileRequest,
) -> Result<Response, Problem> {
    files.answer(name, &headers, address, &state.file_pace).await
}

async fn with_policy(request: Request, next: Next) -> Response {
    let mut response = next.run(request).await;
    response.headers_mut().insert(header::CONTENT_SECURITY_POLICY, HeaderValue::from_static(POLICY));
    response
}
