//! The problem as it is sent. Handlers answer a [`Problem`]; here, outside of all of them, it becomes the
//! document, with the id of the request, or outside of `/api` a page. What the router itself refuses becomes a
//! problem as well.

use app::render::Assets;
use axum::extract::Request;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use utoipa::ToSchema;

use super::error_page;
use platform::http::json::Json;
use platform::http::problem::{Code, Details, Problem};
use platform::http::request_id::RequestId;

/// RFC 9457, with the extensions `code`, `requestId`, and `details` where there is more to say.
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
    pub code: Code,
    pub request_id: &'a str,
    /// `fields` of a body that does not fit: `[{path, message}]`; of a refused bid `normalizedAmount` and
    /// `violations`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<Object>)]
    pub details: Option<&'a Details>,
}

/// How the problems of one request are written.
#[derive(Debug, Clone, Copy)]
pub struct Problems {
    for_people: bool,
}

impl Problems {
    pub fn of(request: &Request) -> Self {
        Self { for_people: error_page::is_for(request) }
    }

    /// Turns a refusal that has no body yet into a problem document.
    pub fn write(self, mut response: Response, id: RequestId, assets: &Assets) -> Response {
        let problem = match response.extensions_mut().remove::<Problem>() {
            Some(problem) => problem,
            None => match refused_by_router(&response) {
                Some(code) => Problem::plain(code),
                None => return response,
            },
        };
        let (mut parts, _) = response.into_parts();
        let written =
            if self.for_people { error_page::write(&problem, id, assets) } else { document(&problem, id) };
        let (made, body) = written.into_parts();
        parts.headers.extend(made.headers);
        parts.headers.remove(header::CONTENT_LENGTH);
        Response::from_parts(parts, body)
    }
}

fn refused_by_router(response: &Response) -> Option<Code> {
    match response.status() {
        StatusCode::NOT_FOUND if !response.headers().contains_key(header::CONTENT_TYPE) => {
            Some(Code::NotFound)
        }
        StatusCode::METHOD_NOT_ALLOWED => Some(Code::MethodNotAllowed),
        _ => None,
    }
}

fn document(problem: &Problem, id: RequestId) -> Response {
    let document = Document {
        kind: "about:blank",
        title: problem.code.title(),
        status: problem.code.status().as_u16(),
        detail: &problem.detail,
        code: problem.code,
        request_id: &id.to_string(),
        details: problem.details.as_ref(),
    };
    let kind = HeaderValue::from_static("application/problem+json");
    ([(header::CONTENT_TYPE, kind)], Json(document)).into_response()
}
