//! The built site inside the binary: WebAssembly, JavaScript, styles and icon, compressed when they were
//! built. File names carry a hash of their contents, so that browsers may cache them without a limit.

use std::borrow::Cow;
use std::collections::HashMap;
use std::sync::LazyLock;

use app::assets::{Assets, BuiltFile};
use axum::body::Bytes;
use axum::extract::State;
use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use rust_embed::RustEmbed;

use crate::http::shared_file::SharedFile;
use crate::state::AppState;
use platform::http::path::At;
use platform::http::problem::Problem;
use platform::net::ClientAddress;

/// Empty if the site was not built, as in the tests of the server alone.
#[derive(RustEmbed)]
#[folder = "$FARTHING_SITE_DIR"]
#[allow_missing = true]
struct Files;

/// The files that pages link to. Without a manifest, pages have no styles and no scripts.
pub fn assets() -> Assets {
    let manifest = Files::get("manifest.json").and_then(|file| serde_json::from_slice(&file.data).ok());
    manifest.unwrap_or_else(Assets::not_built)
}

/// One year. A file with a hash in its name never changes.
const IMMUTABLE: HeaderValue = HeaderValue::from_static("public, max-age=31536000, immutable");

/// The largest scope that a page may give to the service worker.
const WORKER_ALLOWED: HeaderName = HeaderName::from_static("service-worker-allowed");

/// Workers only send requests to this site.
const WORKER_POLICY: HeaderValue = HeaderValue::from_static(
    "default-src 'none'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
);

/// Extension of a file that brotli compressed when the site was built.
const BROTLI: &str = ".br";

/// The files that are served, by their paths without the extension of a compressed one.
static SHARED: LazyLock<HashMap<String, SharedFile>> = LazyLock::new(|| {
    Files::iter().filter_map(|path| shared(&path).map(|file| (plain_path(&path).to_owned(), file))).collect()
});

fn plain_path(path: &str) -> &str {
    path.strip_suffix(BROTLI).unwrap_or(path)
}

fn shared(path: &str) -> Option<SharedFile> {
    let kind = HeaderValue::from_static(content_type(plain_path(path))?);
    let bytes = match Files::get(path)?.data {
        Cow::Borrowed(bytes) => Bytes::from_static(bytes),
        Cow::Owned(bytes) => Bytes::from(bytes),
    };
    Some(if path.ends_with(BROTLI) {
        SharedFile::brotli(kind, bytes)
    } else {
        SharedFile::plain(kind, bytes)
    })
}

/// `GET /pkg/{file}`
pub async fn file(
    State(state): State<AppState>,
    At(name): At<String>,
    address: ClientAddress,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    let path = format!("/pkg/{name}");
    let file = SHARED.get(&path[1..]).ok_or_else(Problem::not_found)?;
    let mut response = file.answer(&headers, address, &state.file_pace).await?;
    response.headers_mut().insert(header::CACHE_CONTROL, IMMUTABLE);
    if path == state.assets.address(BuiltFile::WorkerScript) {
        response.headers_mut().insert(WORKER_ALLOWED, HeaderValue::from_static("/auctions/"));
    }
    let workers = [BuiltFile::WorkerScript, BuiltFile::ConnectionScript];
    if workers.iter().any(|worker| path == state.assets.address(*worker)) {
        response.headers_mut().insert(header::CONTENT_SECURITY_POLICY, WORKER_POLICY);
    }
    Ok(response)
}

/// A file of the page that shows the API's documentation.
pub fn api_docs_file(name: &str) -> Option<&'static SharedFile> {
    SHARED.get(&format!("api-docs/{name}"))
}

/// `GET /favicon.ico`. Browsers request it by default; the pages link to the icon under its own name.
pub async fn favicon() -> Response {
    StatusCode::NO_CONTENT.into_response()
}

/// Media type of a file. Absent for files that are not served, such as the manifest.
fn content_type(name: &str) -> Option<&'static str> {
    let (_, extension) = name.rsplit_once('.')?;
    match extension {
        "wasm" => Some("application/wasm"),
        "js" => Some("text/javascript; charset=utf-8"),
        "css" => Some("text/css; charset=utf-8"),
        "svg" => Some("image/svg+xml"),
        "png" => Some("image/png"),
        "woff2" => Some("font/woff2"),
        "webmanifest" => Some("application/manifest+json"),
        _ => None,
    }
}
