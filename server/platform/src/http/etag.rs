//! `ETag` and `If-Match`: the version of a resource that a response shows, and that a change expects (SPEC,
//! section 1).

use std::convert::Infallible;

use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use sha2::{Digest, Sha256};
use utoipa::IntoParams;
use utoipa::openapi::path::{Parameter, ParameterBuilder, ParameterIn};
use utoipa::openapi::schema::{ObjectBuilder, Type};

use super::json::Json;
use super::problem::Problem;
use crate::http::codes;
use crate::precondition::{Outdated, Precondition};

/// The header for a resource in this version.
fn etag(version: i64) -> [(HeaderName, HeaderValue); 1] {
    // Digits between quotes are always a header value.
    let value =
        HeaderValue::try_from(format!("\"{version}\"")).unwrap_or_else(|_| HeaderValue::from_static("\"\""));
    [(header::ETAG, value)]
}

/// A response with a resource and its version.
pub fn versioned<T: Serialize>(version: i64, document: T) -> Response {
    (etag(version), Json(document)).into_response()
}

/// A response with a new resource, its version and its location.
pub fn created<T: Serialize>(location: String, version: i64, document: T) -> Response {
    (StatusCode::CREATED, [(header::LOCATION, location)], versioned(version, document)).into_response()
}

/// A tag that changes with the content. It is weak: the compressed forms of a file share it.
pub fn of_content(bytes: &[u8]) -> String {
    format!("W/\"{}\"", const_hex::encode(&Sha256::digest(bytes)[..16]))
}

/// Whether the client has the content with this tag (RFC 9110, section 13.1.2).
pub fn is_current(headers: &HeaderMap, tag: &HeaderValue) -> bool {
    let opaque = |tag: &str| tag.trim().trim_start_matches("W/").to_owned();
    let tag = tag.to_str().map(opaque).unwrap_or_default();
    let lines = headers.get_all(header::IF_NONE_MATCH).iter().filter_map(|line| line.to_str().ok());
    lines.flat_map(|line| line.split(',')).any(|known| known.trim() == "*" || opaque(known) == tag)
}

/// The `If-Match` of a request (RFC 9110, section 13.1.1). A tag that this server did not make
/// matches nothing, nor does a weak one.
#[derive(Debug, Clone)]
pub struct IfMatch(pub Precondition);

impl IfMatch {
    fn of(headers: &HeaderMap) -> Self {
        let mut lines = headers.get_all(header::IF_MATCH).iter().peekable();
        if lines.peek().is_none() {
            return Self(Precondition::None);
        }
        let lines: Vec<&str> = lines.map(|line| line.to_str().unwrap_or("").trim()).collect();
        // For a missing resource, 404 comes before this check.
        if lines == ["*"] {
            return Self(Precondition::None);
        }
        // A tag may contain commas, but this server makes none that do.
        Self(Precondition::OneOf(lines.iter().flat_map(|line| line.split(',')).filter_map(version).collect()))
    }
}

/// The version in a tag, if [`etag`] could have written it.
fn version(tag: &str) -> Option<i64> {
    let digits = tag.trim().strip_prefix('"')?.strip_suffix('"')?;
    digits.parse().ok().filter(|version: &i64| version.to_string() == digits)
}

impl<S: Send + Sync> FromRequestParts<S> for IfMatch {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, _state: &S) -> Result<Self, Self::Rejection> {
        Ok(Self::of(&parts.headers))
    }
}

impl IntoParams for IfMatch {
    fn into_params(_in: impl Fn() -> Option<ParameterIn>) -> Vec<Parameter> {
        let words = "The `ETag` of the version that the change expects: 412 `PRECONDITION_FAILED` if the resource \
            has another one. Without the header any version is accepted.";
        let header = ParameterBuilder::new().name("If-Match").parameter_in(ParameterIn::Header);
        let text = ObjectBuilder::new().schema_type(Type::String).build();
        vec![header.description(Some(words)).schema(Some(text)).build()]
    }
}

impl From<Outdated> for Problem {
    fn from(_: Outdated) -> Self {
        Self::new(
            codes::PRECONDITION_FAILED,
            "The resource has changed since you read it. Read it again, then change it.",
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(lines: &[&'static str]) -> Precondition {
        let lines = lines.iter().map(|line| (header::IF_MATCH, HeaderValue::from_static(line)));
        IfMatch::of(&lines.collect()).0
    }

    #[test]
    fn a_client_has_the_content_that_one_of_its_tags_names() {
        let tag = HeaderValue::try_from(of_content(b"content")).unwrap();
        let has = |line: &str| {
            is_current(&[(header::IF_NONE_MATCH, line.parse().unwrap())].into_iter().collect(), &tag)
        };
        let text = tag.to_str().unwrap();
        assert!(text.starts_with("W/\"") && has(text) && has(&text[2..]));
        assert!(has("*") && has(&format!("\"a\" , {text}")));
        assert!(!has("\"a\"") && !has("") && !is_current(&HeaderMap::new(), &tag));
        assert_ne!(of_content(b"content"), of_content(b"contents"));
    }

    #[test]
    fn lists_are_read_and_foreign_tags_match_nothing() {
        assert_eq!(parse(&[]), Precondition::None);
        assert_eq!(parse(&["*"]), Precondition::None);
        assert_eq!(parse(&["\"1\""]), Precondition::OneOf(vec![1]));
        assert_eq!(parse(&["\"1\", \"x\" ,W/\"2\",\"3\"", "\"4\""]), Precondition::OneOf(vec![1, 3, 4]));
        for nothing in ["", "1", "\"01\"", "\"+1\"", "W/\"1\"", "\"1", "\"1,2\"", "\"1\"*", "\"*\""] {
            assert_eq!(parse(&[nothing]), Precondition::OneOf(Vec::new()), "{nothing}");
        }
    }
}
