//! The OpenAPI document, and the page to read and try it, both from the binary.

use std::collections::BTreeSet;
use std::sync::Arc;

use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderValue, header};
use axum::middleware::{Next, from_fn};
use axum::response::{Redirect, Response};
use axum::routing::get;
use axum::{Extension, Router};
use utoipa::OpenApi;
use utoipa::openapi::path::{Operation, Parameter, ParameterIn, PathItem};
use utoipa::openapi::schema::{KnownFormat, ObjectBuilder, SchemaFormat, SchemaType, Type};
use utoipa::openapi::security::{ApiKey, ApiKeyValue, SecurityRequirement, SecurityScheme};
use utoipa::openapi::tag::Tag;
use utoipa::openapi::{self, Content, ContentBuilder, Ref, RefOr, ResponseBuilder, Schema, ServerBuilder};

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
            never through a float. Every refusal is a problem document with a stable `code`. \
            [Back to Farthing](/)"
    ),
    components(schemas(Document<'_>, ProblemCode, FieldError, ItemSort))
)]
struct Outline;

/// The document before its routes.
pub fn outline() -> openapi::OpenApi {
    Outline::openapi()
}

/// The name of the session in the list of security schemes.
const SESSION: &str = "session";

/// Adds what all operations have in common: any may be refused with a problem, each answer has words, files
/// are bytes, and a session is a cookie.
pub fn complete(mut document: openapi::OpenApi) -> openapi::OpenApi {
    let refused = ResponseBuilder::new()
        .description("Refused: `code` says why")
        .content(
            "application/problem+json",
            ContentBuilder::new().schema(Some(Ref::from_schema_name("Problem"))).build(),
        )
        .build();
    for operation in document.paths.paths.values_mut().flat_map(operations) {
        let responses = &mut operation.responses.responses;
        // Both ranges and no `default`, which would be an answer of success, too.
        for status in ["4XX", "5XX"] {
            responses.entry(status.to_owned()).or_insert_with(|| refused.clone().into());
        }
        for (status, response) in responses {
            let RefOr::T(response) = response else { continue };
            if response.description.is_empty() {
                response.description = about_status(status).to_owned();
            }
            for (kind, content) in &mut response.content {
                describe_file(kind, content);
            }
        }
        if let Some(RefOr::T(body)) = &mut operation.request_body {
            for (kind, content) in &mut body.content {
                describe_file(kind, content);
            }
        }
        for parameter in operation.parameters.iter_mut().flatten() {
            let RefOr::T(parameter) = parameter else { continue };
            describe_id(parameter);
            // A header is absent, never null.
            if parameter.parameter_in == ParameterIn::Header
                && let Some(RefOr::T(Schema::Object(object))) = &mut parameter.schema
                && let SchemaType::Array(kinds) = &object.schema_type
                && let [kind, Type::Null] = kinds.as_slice()
            {
                object.schema_type = SchemaType::Type(kind.clone());
            }
        }
    }
    let tags = document.paths.paths.values_mut().flat_map(operations);
    let tags: BTreeSet<String> =
        tags.flat_map(|operation| operation.tags.clone().unwrap_or_default()).collect();
    document.tags = Some(tags.into_iter().map(Tag::new).collect());
    document.servers = Some(vec![ServerBuilder::new().url("/").description(Some("This site")).build()]);
    let cookie = ApiKeyValue::with_description(
        "farthing_session",
        "Set by a sign-in. Under https its name begins with `__Host-`; at a port of an address it ends with the port.",
    );
    let session = SecurityScheme::ApiKey(ApiKey::Cookie(cookie));
    document.components.get_or_insert_default().add_security_scheme(SESSION, session);
    // Whether an operation needs a session depends on the resource too: some auctions may be read by anyone.
    let with_session = SecurityRequirement::new(SESSION, Vec::<String>::new());
    document.security = Some(vec![with_session, SecurityRequirement::default()]);
    document
}

/// An id has the format that ids have in bodies: a client gives back what it got.
fn describe_id(parameter: &mut Parameter) {
    if (parameter.name.ends_with("_id") || parameter.name.ends_with("Id"))
        && parameter.parameter_in != ParameterIn::Header
        && let Some(RefOr::T(Schema::Object(object))) = &mut parameter.schema
    {
        object.format = Some(SchemaFormat::Custom("uuid".to_owned()));
    }
}

fn operations(path: &mut PathItem) -> impl Iterator<Item = &mut Operation> {
    [&mut path.get, &mut path.post, &mut path.patch, &mut path.put, &mut path.delete].into_iter().flatten()
}

/// What an answer with this status is, where its operation has no words of its own.
fn about_status(status: &str) -> &'static str {
    match status {
        "200" => "The state after the request",
        "201" => "Created",
        "202" => "Accepted: it goes on after this answer",
        "204" => "Done; there is nothing to say",
        "304" => "The client has it",
        _ => "Answered",
    }
}

/// A file that is no text has bytes.
fn describe_file(kind: &str, content: &mut RefOr<Content>) {
    let RefOr::T(content) = content else { return };
    let is_file = kind.starts_with("image/") || kind.starts_with("application/vnd.");
    if is_file || kind == "application/octet-stream" {
        let bytes = ObjectBuilder::new()
            .schema_type(Type::String)
            .format(Some(SchemaFormat::KnownFormat(KnownFormat::Binary)));
        content.schema = Some(bytes.into());
    }
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
