//! Answers in JSON.

use axum::body::Body;
use axum::http::{HeaderValue, header};
use axum::response::{IntoResponse, Response};
use serde::Serialize;

use super::problem::Problem;

/// Most answers are shorter.
const USUAL_BYTES: usize = 512;

/// Written as JSON. axum's does the same through a buffer that grows by small steps, which takes a bid's answer twice as
/// long.
#[derive(Debug, Clone, Copy)]
pub struct Json<T>(pub T);

impl<T: Serialize> IntoResponse for Json<T> {
    fn into_response(self) -> Response {
        let mut text = Vec::with_capacity(USUAL_BYTES);
        match serde_json::to_writer(&mut text, &self.0) {
            Ok(()) => {
                let mut response = Response::new(Body::from(text));
                let kind = HeaderValue::from_static("application/json");
                response.headers_mut().insert(header::CONTENT_TYPE, kind);
                response
            }
            Err(error) => Problem::internal(&error).into_response(),
        }
    }
}
