//! The files of the API's documentation: the document, and the page that shows it.

mod older;

use std::sync::LazyLock;

use axum::body::Bytes;
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use platform::http::etag;
use platform::http::problem::Problem;
use platform::net::ClientAddress;
use utoipa::openapi::OpenApi;

use super::file_pace::FilePace;
use super::shared_file::SharedFile;
use crate::codes;
use crate::site;

pub const DOCUMENT: &str = "openapi.json";
const OLDER: &str = "openapi-3.0.json";
pub const INDEX: &str = "index.html";

static INDEX_FILE: LazyLock<SharedFile> = LazyLock::new(|| {
    let html = HeaderValue::from_static("text/html; charset=utf-8");
    SharedFile::plain(html, Bytes::from_static(include_bytes!("index.html")))
});
static START_FILE: LazyLock<SharedFile> = LazyLock::new(|| {
    let script = HeaderValue::from_static("text/javascript; charset=utf-8");
    SharedFile::plain(script, Bytes::from_static(include_bytes!("start.js")))
});

/// A browser asks again each time, which costs no body while the file is the same.
const REVALIDATE: HeaderValue = HeaderValue::from_static("public, no-cache");

/// The document as a file, in two versions of OpenAPI, and the files of the site that show it.
pub struct ApiDocs {
    document: Option<SharedFile>,
    older: Option<SharedFile>,
}

impl ApiDocs {
    pub fn new(document: &OpenApi) -> Self {
        let file = |bytes: serde_json::Result<Vec<u8>>| {
            let bytes =
                bytes.inspect_err(|error| tracing::error!(%error, "the OpenAPI document can't be written"));
            let json = HeaderValue::from_static("application/json");
            bytes.ok().map(|bytes| SharedFile::compressible(json, bytes.into()))
        };
        let older = older::in_version_3_0(document).and_then(|document| serde_json::to_vec(&document));
        Self { document: file(serde_json::to_vec(document)), older: file(older) }
    }

    pub async fn answer(
        &self,
        name: &str,
        headers: &HeaderMap,
        address: ClientAddress,
        pace: &FilePace,
    ) -> Result<Response, Problem> {
        let file = match name {
            DOCUMENT => self.document.as_ref().ok_or_else(|| Problem::plain(codes::INTERNAL))?,
            OLDER => self.older.as_ref().ok_or_else(|| Problem::plain(codes::INTERNAL))?,
            INDEX => &INDEX_FILE,
            "start.js" => &START_FILE,
            _ => site::api_docs_file(name).ok_or_else(Problem::not_found)?,
        };
        let mut response = if etag::is_current(headers, file.tag()) {
            StatusCode::NOT_MODIFIED.into_response()
        } else {
            file.answer(headers, address, pace).await?
        };
        response.headers_mut().insert(header::ETAG, file.tag().clone());
        response.headers_mut().insert(header::CACHE_CONTROL, REVALIDATE);
        Ok(response)
    }
}
