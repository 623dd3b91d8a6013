//! Files that are the same for everyone. All answers share the bytes of a file, compressed forms included, so that an
//! answer costs neither compression nor memory.

use axum::body::Bytes;
use axum::http::{HeaderMap, HeaderValue, header};
use axum::response::{IntoResponse, Response};
use platform::http::encoding::accepts;

/// A file with its compressed forms.
#[derive(Debug)]
pub struct SharedFile {
    pub content_type: HeaderValue,
    pub plain: Bytes,
    /// By content coding, the preferred first.
    pub compressed: Vec<(&'static str, Bytes)>,
}

impl SharedFile {
    /// The form that the client accepts.
    pub fn answer(&self, request: &HeaderMap) -> Response {
        let accepted =
            request.get(header::ACCEPT_ENCODING).and_then(|value| value.to_str().ok()).unwrap_or("");
        let form = self.compressed.iter().find(|(encoding, _)| accepts(accepted, encoding));
        let mut response = form.map_or(&self.plain, |(_, bytes)| bytes).clone().into_response();
        let headers = response.headers_mut();
        headers.insert(header::CONTENT_TYPE, self.content_type.clone());
        headers.insert(header::VARY, HeaderValue::from_static("accept-encoding"));
        if let Some((encoding, _)) = form {
            headers.insert(header::CONTENT_ENCODING, HeaderValue::from_static(encoding));
        }
        response
    }
}
