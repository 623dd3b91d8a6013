//! The files of the API's documentation. Each is compressed once, at its first request.

use std::io::Write;
use std::sync::Arc;

use axum::body::Bytes;
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use brotli::enc::BrotliEncoderParams;
use flate2::Compression;
use flate2::write::GzEncoder;
use platform::http::etag;
use platform::http::problem::{Code, Problem};
use platform::net::ClientAddress;
use tokio::sync::OnceCell;
use utoipa::openapi::OpenApi;
use utoipa_swagger_ui::Config;

use super::file_pace::FilePace;
use super::shared_file::SharedFile;

pub const DOCUMENT: &str = "openapi.json";
pub const INDEX: &str = "index.html";
/// The document, the page, and what the page loads.
const NAMES: [&str; 9] = [
    DOCUMENT,
    INDEX,
    "index.css",
    "swagger-ui.css",
    "swagger-ui-bundle.js",
    "swagger-ui-standalone-preset.js",
    "swagger-initializer.js",
    "favicon-16x16.png",
    "favicon-32x32.png",
];
/// A browser asks again each time, which costs no body while the file is the same.
const REVALIDATE: HeaderValue = HeaderValue::from_static("public, no-cache");
/// Above it, compression takes seconds instead of a fraction of one, for a few percent.
const BROTLI_QUALITY: i32 = 9;

/// The files, by their place in `NAMES`.
pub struct ApiFiles {
    document: OpenApi,
    config: Arc<Config<'static>>,
    compressed: [OnceCell<TaggedFile>; NAMES.len()],
}

/// A file and its entity tag.
struct TaggedFile {
    file: SharedFile,
    tag: HeaderValue,
}

/// Why a file can't be served.
#[derive(Debug, thiserror::Error)]
enum ApiFileError {
    #[error("the library has no such file")]
    Missing,
    #[error(transparent)]
    Library(#[from] Box<dyn std::error::Error>),
    #[error(transparent)]
    Json(#[from] serde_json::Error),
    #[error(transparent)]
    Io(#[from] std::io::Error),
    #[error(transparent)]
    Header(#[from] header::InvalidHeaderValue),
}

impl ApiFiles {
    pub fn new(document: OpenApi) -> Self {
        let config = Arc::new(Config::from(format!("/api/{DOCUMENT}")));
        Self { document, config, compressed: [const { OnceCell::const_new() }; NAMES.len()] }
    }

    pub async fn answer(
        self: &Arc<Self>,
        name: &str,
        headers: &HeaderMap,
        address: ClientAddress,
        pace: &FilePace,
    ) -> Result<Response, Problem> {
        let at = NAMES.iter().position(|known| *known == name).ok_or_else(Problem::not_found)?;
        let files = Arc::clone(self);
        let compress = async move {
            let work = move || files.compress(NAMES[at]).map_err(|error| error.to_string());
            let done = tokio::task::spawn_blocking(work).await;
            done.map_err(|error| error.to_string()).flatten().map_err(|error| {
                tracing::error!(error, name = NAMES[at], "a file of the documentation can't be served");
                Problem::plain(Code::Internal)
            })
        };
        let TaggedFile { file, tag } = self.compressed[at].get_or_try_init(|| compress).await?;
        let mut response = if etag::is_current(headers, tag) {
            StatusCode::NOT_MODIFIED.into_response()
        } else {
            file.answer(headers, address, pace).await?
        };
        response.headers_mut().insert(header::ETAG, tag.clone());
        response.headers_mut().insert(header::CACHE_CONTROL, REVALIDATE);
        Ok(response)
    }

    fn compress(&self, name: &str) -> Result<TaggedFile, ApiFileError> {
        let (content_type, plain) = match name {
            DOCUMENT => ("application/json".to_owned(), Bytes::from(serde_json::to_vec(&self.document)?)),
            name => {
                let file = utoipa_swagger_ui::serve(name, Arc::clone(&self.config))?;
                let file = file.ok_or(ApiFileError::Missing)?;
                (file.content_type, Bytes::from(file.bytes.into_owned()))
            }
        };
        let tag = HeaderValue::try_from(etag::of_content(&plain))?;
        let compressed = [("br", brotli(&plain)?), ("gzip", gzip(&plain)?)];
        let compressed = compressed.into_iter().filter(|(_, bytes)| bytes.len() < plain.len()).collect();
        let content_type = HeaderValue::try_from(content_type)?;
        Ok(TaggedFile { file: SharedFile { content_type, plain, compressed }, tag })
    }
}

fn brotli(bytes: &[u8]) -> std::io::Result<Bytes> {
    let params =
        BrotliEncoderParams { quality: BROTLI_QUALITY, size_hint: bytes.len(), ..Default::default() };
    let mut compressed = Vec::new();
    brotli::BrotliCompress(&mut &*bytes, &mut compressed, &params)?;
    Ok(compressed.into())
}

fn gzip(bytes: &[u8]) -> std::io::Result<Bytes> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(bytes)?;
    Ok(encoder.finish()?.into())
}
