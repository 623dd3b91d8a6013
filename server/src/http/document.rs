//! Writes problems. Handlers return a [`Problem`]; a layer around all routes writes it as a document with the
//! request's id, or as a page for a browser outside of `/api`. Errors without a problem, of the router or of
//! a response that could not be serialized, get one here.

use app::assets::Assets;
use axum::extract::Request;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use serde_json::value::RawValue;
use utoipa::ToSchema;

use super::error_page;
use super::problem_code::ProblemCode;
use crate::codes;
use platform::http::json::Json;
use platform::http::problem::{Code, Problem};
use platform::http::request_id::RequestId;

/// RFC 9457, with the extensions `code`, `requestId` and, if there is further information, `details`.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = Problem)]
pub struct Document<'a> {
    /// `about:blank`: the code says which problem it is.
    #[serde(rename = "type")]
    pub kind: &'a str,
    pub title: &'a str,
    pub status: u16,
    pub detail: &'a str,
    #[schema(value_type = ProblemCode)]
    pub code: Code,
    pub request_id: &'a str,
    /// `fields` of a body that does not fit: `[{path, message}]`; of a refused bid `normalizedAmount` and
    /// `violations`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<Object>)]
    pub details: Option<Box<RawValue>>,
}

/// The format of a request's problems.
#[derive(Debug, Clone, Copy)]
pub struct Problems {
    as_page: bool,
}

impl Problems {
    pub fn of(request: &Request) -> Self {
        Self { as_page: error_page::is_for(request) }
    }

    /// Writes the body of an error that has none yet.
    pub fn write(self, mut response: Response, id: RequestId, assets: &Assets) -> Response {
        let problem = match response.extensions_mut().remove::<Problem>() {
            Some(problem) => problem,
            None => match code_without_problem(&response) {
                Some(code) => Problem::plain(code),
                None => return response,
            },
        };
        let (mut parts, _) = response.into_parts();
        let written =
            if self.as_page { error_page::write(&problem, id, assets) } else { document(&problem, id) };
        let (made, body) = written.into_parts();
        parts.headers.extend(made.headers);
        parts.headers.remove(header::CONTENT_LENGTH);
        Response::from_parts(parts, body)
    }
}

/// The code of an error that did not come from a handler as a problem.
fn code_without_problem(response: &Response) -> Option<Code> {
    match response.status() {
        StatusCode::NOT_FOUND if !response.headers().contains_key(header::CONTENT_TYPE) => {
            Some(codes::NOT_FOUND)
        }
        StatusCode::METHOD_NOT_ALLOWED => Some(codes::METHOD_NOT_ALLOWED),
        StatusCode::INTERNAL_SERVER_ERROR if !is_page(response) => {
            tracing::error!("can't serialize a response");
            Some(codes::INTERNAL)
        }
        _ => None,
    }
}

/// Whether the app has rendered the error already.
fn is_page(response: &Response) -> bool {
    let kind = response.headers().get(header::CONTENT_TYPE).and_then(|kind| kind.to_str().ok());
    kind.is_some_and(|kind| kind.starts_with("text/html"))
}

fn document(problem: &Problem, id: RequestId) -> Response {
    let document = Document {
        kind: "about:blank",
        title: problem.code.title(),
        status: problem.code.status().as_u16(),
        detail: &problem.detail,
        code: problem.code,
        request_id: &id.to_string(),
        details: problem.details(),
    };
    let kind = HeaderValue::from_static("application/problem+json");
    ([(header::CONTENT_TYPE, kind)], Json(document)).into_response()
}
