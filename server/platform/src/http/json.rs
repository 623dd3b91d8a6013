//! Answers in JSON.

use axum::body::Body;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::Serialize;

use crate::log_field::logged;

/// Room for a document at first: most fit.
const ROOM_BYTES: usize = 1024;

/// A document as the body of an answer. axum's own writes it into a buffer that costs as much for each piece
/// of JSON as the piece itself.
#[derive(Debug, Clone, Copy)]
pub struct Json<T>(pub T);

impl<T: Serialize> IntoResponse for Json<T> {
    fn into_response(self) -> Response {
        let mut text = Vec::with_capacity(ROOM_BYTES);
        match serde_json::to_writer(&mut text, &self.0) {
            Ok(()) => answer(text),
            Err(error) => {
                tracing::error!(error = logged(&error), "can't write a document");
                StatusCode::INTERNAL_SERVER_ERROR.into_response()
            }
        }
    }
}

/// An answer with this JSON.
pub fn answer(text: Vec<u8>) -> Response {
    let mut response = Response::new(Body::from(text));
    let kind = HeaderValue::from_static("application/json");
    response.headers_mut().insert(header::CONTENT_TYPE, kind);
    response
}
