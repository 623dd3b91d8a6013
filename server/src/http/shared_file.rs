//! Files that are the same for everyone. All answers share the bytes of a file, compressed forms included, so that an
//! answer costs neither compression nor memory.

use axum::body::Bytes;
use axum::http::{HeaderMap, HeaderValue, header};
use axum::response::{IntoResponse, Response};
use platform::http::encoding::accepts;
use platform::http::problem::Problem;
use platform::net::ClientAddress;

use super::file_pace::FilePace;

/// A file with its compressed forms.
#[derive(Debug)]
pub struct SharedFile {
    pub content_type: HeaderValue,
    pub plain: Bytes,
    /// By content coding, the preferred first.
    pub compressed: Vec<(&'static str, Bytes)>,
}

/// Marks an answer whose body is shared: it takes no memory of its own.
#[derive(Debug, Clone, Copy)]
pub struct SharedBody;

impl SharedFile {
    /// The form that the client accepts, once the client's address may get it.
    pub async fn answer(
        &self,
        request: &HeaderMap,
        address: ClientAddress,
        pace: &FilePace,
    ) -> Result<Response, Problem> {
        let accepted =
            request.get(header::ACCEPT_ENCODING).and_then(|value| value.to_str().ok()).unwrap_or("");
        let form = self.compressed.iter().find(|(encoding, _)| accepts(accepted, encoding));
        let bytes = form.map_or(&self.plain, |(_, bytes)| bytes);
        pace.wait(address, bytes.len()).await?;
        let mut response = bytes.clone().into_response();
        response.extensions_mut().insert(SharedBody);
        let headers = response.headers_mut();
        headers.insert(header::CONTENT_TYPE, self.content_type.clone());
        headers.insert(header::VARY, HeaderValue::from_static("accept-encoding"));
        if let Some((encoding, _)) = form {
            headers.insert(header::CONTENT_ENCODING, HeaderValue::from_static(encoding));
        }
        Ok(response)
    }
}
