//! The built site inside the binary: WebAssembly, its glue, styles and icon, compressed beforehand. File names
//! carry a hash of their contents, so a browser keeps them for ever.

use app::render::Assets;
use axum::body::Bytes;
use axum::extract::Path;
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use rust_embed::RustEmbed;
use serde::Deserialize;

/// Empty where the site was not built, as in the tests of the server alone.
#[derive(RustEmbed)]
#[folder = "$FARTHING_SITE_DIR"]
#[allow_missing = true]
struct Files;

/// The names of this build's files.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Manifest {
    output_name: String,
    css: String,
    favicon: String,
}

/// What a page must know of the built site.
#[derive(Debug, Clone)]
pub struct Site {
    pub assets: Assets,
}

impl Site {
    /// Reads the embedded manifest. A binary without one serves its pages bare.
    pub fn load() -> Self {
        let manifest = Files::get("manifest.json").and_then(|file| serde_json::from_slice(&file.data).ok());
        let manifest = manifest.unwrap_or(Manifest {
            output_name: "farthing".to_owned(),
            css: "pkg/farthing.css".to_owned(),
            favicon: "pkg/favicon.svg".to_owned(),
        });
        let assets = Assets {
            css: format!("/{}", manifest.css),
            favicon: format!("/{}", manifest.favicon),
            output_name: manifest.output_name,
        };
        Self { assets }
    }
}

/// A year: what has a hash in its name never changes.
const FOR_EVER: HeaderValue = HeaderValue::from_static("public, max-age=31536000, immutable");

/// The smallest form first.
const ENCODINGS: [(&str, &str); 2] = [("br", ".br"), ("gzip", ".gz")];

/// `GET /pkg/{file}`
pub async fn file(Path(name): Path<String>, headers: HeaderMap) -> Response {
    let path = format!("pkg/{name}");
    let Some(kind) = content_type(&name).filter(|_| Files::get(&path).is_some()) else {
        return StatusCode::NOT_FOUND.into_response();
    };
    let accepted = headers.get(header::ACCEPT_ENCODING).and_then(|value| value.to_str().ok()).unwrap_or("");
    let packed = ENCODINGS
        .iter()
        .filter(|(encoding, _)| accepts(accepted, encoding))
        .find_map(|(encoding, ending)| Some((*encoding, Files::get(&format!("{path}{ending}"))?)));
    let (encoding, found) = match packed {
        Some((encoding, found)) => (Some(encoding), Some(found)),
        None => (None, Files::get(&path)),
    };
    let Some(found) = found else { return StatusCode::NOT_FOUND.into_response() };
    let body = match found.data {
        std::borrow::Cow::Borrowed(bytes) => Bytes::from_static(bytes),
        std::borrow::Cow::Owned(bytes) => Bytes::from(bytes),
    };
    let mut response = body.into_response();
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(kind));
    headers.insert(header::CACHE_CONTROL, FOR_EVER);
    headers.insert(header::VARY, HeaderValue::from_static("accept-encoding"));
    if let Some(encoding) = encoding {
        headers.insert(header::CONTENT_ENCODING, HeaderValue::from_static(encoding));
    }
    response
}

/// Browsers ask for this name unasked; the pages name the real icon.
pub async fn favicon() -> Response {
    StatusCode::NO_CONTENT.into_response()
}

/// `None` for what the build never makes, its packed forms among it.
fn content_type(name: &str) -> Option<&'static str> {
    let (_, ending) = name.rsplit_once('.')?;
    match ending {
        "wasm" => Some("application/wasm"),
        "js" => Some("text/javascript; charset=utf-8"),
        "css" => Some("text/css; charset=utf-8"),
        "svg" => Some("image/svg+xml"),
        _ => None,
    }
}

/// Whether an `Accept-Encoding` names the encoding without refusing it by `q=0`.
fn accepts(header: &str, encoding: &str) -> bool {
    header.split(',').any(|entry| {
        let mut parts = entry.split(';').map(str::trim);
        let named = parts.next().is_some_and(|name| name.eq_ignore_ascii_case(encoding));
        let refused =
            parts.any(|part| matches!(part.strip_prefix("q="), Some("0" | "0.0" | "0.00" | "0.000")));
        named && !refused
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_encoding_is_taken_unless_it_is_refused() {
        assert!(accepts("gzip, deflate, br", "br"));
        assert!(accepts("BR;q=0.5", "br"));
        assert!(!accepts("br;q=0, gzip", "br"));
        assert!(!accepts("", "gzip"));
        assert!(!accepts("brotli", "br"));
    }
}
