//! A problem as a page, for a browser that asked for one. It is written without the app, since rendering a
//! page may be what failed.

use app::assets::{Assets, BuiltFile};
use axum::extract::Request;
use axum::http::{HeaderValue, header};
use axum::response::{Html, IntoResponse, Response};
use html_escape::encode_text;

use platform::http::problem::Problem;
use platform::http::request_id::RequestId;

const POLICY: &str = "default-src 'none'; style-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'; \
    frame-ancestors 'none'";

/// Whether the client is a browser that asks for a page.
pub fn is_for(request: &Request) -> bool {
    let accepts =
        request.headers().get_all(header::ACCEPT).into_iter().filter_map(|value| value.to_str().ok());
    !request.uri().path().starts_with("/api") && accepts.into_iter().any(|value| value.contains("text/html"))
}

pub fn write(problem: &Problem, id: RequestId, assets: &Assets) -> Response {
    let (title, status) = (problem.code.title(), problem.code.status().as_u16());
    let (detail, css) = (encode_text(&problem.detail), assets.address(BuiltFile::Css));
    let page = format!(
        "<!DOCTYPE html><html lang=\"en\"><head><meta charset=\"utf-8\"><title>{title} · Farthing</title>\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\
         <meta name=\"color-scheme\" content=\"light dark\"><link rel=\"stylesheet\" href=\"{css}\"></head>\
         <body><main id=\"content\"><section class=\"notice-page\"><p class=\"eyebrow\">{status}</p>\
         <h1>{title}</h1><p class=\"lead\">{detail}</p><p><a class=\"button\" href=\"/\">To the start page</a></p>\
         <p>Request {id}</p></section></main></body></html>"
    );
    ([(header::CONTENT_SECURITY_POLICY, HeaderValue::from_static(POLICY))], Html(page)).into_response()
}
