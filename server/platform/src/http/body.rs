//! JSON bodies, read strictly. A handler takes a [`JsonBody`], which a verb reads after it has authorized the
//! user.

use std::pin::pin;
use std::time::Duration;

use axum::body::{Body, Bytes};
use axum::extract::{FromRequest, Request};
use axum::http::{HeaderMap, header};
use futures::StreamExt;
use serde::de::DeserializeOwned;
use serde_json::error::Category;

use super::problem::Problem;
use crate::body;
use crate::fields::{FieldError, Object, path_of, words_of};
use crate::http::codes;
use crate::http::request_id::CurrentRequest;

/// The largest body, except for uploads.
pub const BODY_BYTES_MAX: usize = 64 * 1024;
/// The largest body that is a file.
pub const FILE_BYTES_MAX: usize = 1024 * 1024;
/// Bytes beyond the limit that are read and discarded, so that the client receives the answer before the
/// connection ends.
pub(super) const DISCARDED_BYTES_MAX: usize = 16 * 1024 * 1024;
/// How long a body may take to arrive.
const WAIT_MAX: Duration = Duration::from_secs(15);

/// A body that is not read yet.
#[derive(Debug)]
pub struct JsonBody {
    received: Result<Bytes, Problem>,
    /// The body has no bytes, whatever the media type is.
    is_empty: bool,
}

impl<S: Send + Sync> FromRequest<S> for JsonBody {
    type Rejection = std::convert::Infallible;

    async fn from_request(request: Request, _state: &S) -> Result<Self, Self::Rejection> {
        Ok(Self::received(request, BODY_BYTES_MAX).await)
    }
}

impl JsonBody {
    /// The body of a request, of at most `max` bytes.
    pub(super) async fn received(request: Request, max: usize) -> Self {
        let (parts, body) = request.into_parts();
        let received = receive_up_to(body, max).await;
        let is_empty = received.as_ref().is_ok_and(Bytes::is_empty);
        let received = match received {
            Ok(_) if !is_json(&parts.headers) => Err(Problem::new(
                codes::UNSUPPORTED_MEDIA_TYPE,
                "Send the body as `Content-Type: application/json`.",
            )),
            received => received,
        };
        Self { received, is_empty }
    }

    /// The bytes as received, to be hashed with an idempotency key.
    pub fn bytes(&self) -> &[u8] {
        self.received.as_deref().unwrap_or_default()
    }

    /// Replaces a body without bytes by an empty object, for requests whose body is optional.
    pub fn or_empty(self) -> Self {
        if self.is_empty { Self { received: Ok(Bytes::from_static(b"{}")), ..self } } else { self }
    }

    /// Parses the whole body; `T` refuses unknown fields itself.
    pub fn read<T: DeserializeOwned>(&self) -> Result<T, Problem> {
        let bytes = self.received.as_ref().map_err(Clone::clone)?;
        let is_object = bytes.trim_ascii_start().first() == Some(&b'{');
        // A valid body is read once; only an invalid one is read again for its errors.
        if is_object && let Ok(read) = serde_json::from_slice(bytes) {
            return Ok(read);
        }
        // Syntax before fields: malformed JSON is 400, whatever its fields are.
        serde_json::from_slice::<serde::de::IgnoredAny>(bytes).map_err(|error| malformed(&error))?;
        // serde would accept a list for a struct.
        if !is_object {
            return Err(Problem::field("", "The body must be an object."));
        }
        let mut source = serde_json::Deserializer::from_slice(bytes);
        serde_path_to_error::deserialize(&mut source).map_err(|error| {
            match error.inner().classify() {
                Category::Data => {
                    Problem::fields(vec![field_error(path_of(error.path()), &words_of(error.inner()))])
                }
                // The parser's word for a value of another type than the text of an enum.
                Category::Syntax if error.inner().to_string().starts_with("expected value") => {
                    Problem::fields(vec![FieldError::new(path_of(error.path()), "must be a text")])
                }
                // Invalid text that is found only when a string is read: an unpaired surrogate, or invalid
                // UTF-8.
                Category::Io | Category::Syntax | Category::Eof => malformed(error.inner()),
            }
        })
    }
}

impl body::Body for JsonBody {
    fn read(self) -> Result<Object, Problem> {
        Self::read(&self)
    }
}

/// Reads the body to its end, but keeps no more than the limit.
pub async fn receive(body: Body) -> Result<Bytes, Problem> {
    receive_up_to(body, BODY_BYTES_MAX).await
}

/// Reads the body to its end, but keeps no more than `max` bytes.
pub async fn receive_up_to(body: Body, max: usize) -> Result<Bytes, Problem> {
    let read = tokio::time::timeout(WAIT_MAX, receive_bytes(body, max)).await;
    read.unwrap_or_else(|_| Err(Problem::plain(codes::REQUEST_TIMEOUT)))
}

async fn receive_bytes(body: Body, max: usize) -> Result<Bytes, Problem> {
    let mut chunks = pin!(CurrentRequest::chunks(body));
    // A small body comes in one piece, which is kept as it is.
    let (mut first, mut rest) = (Bytes::new(), Vec::new());
    let mut seen = 0_usize;
    while let Some(data) = chunks.next().await {
        let data = data.map_err(|error| {
            Problem::new(codes::MALFORMED_JSON, format!("The body is incomplete: {error}."))
        })?;
        seen = seen.saturating_add(data.len());
        if seen == data.len() && seen <= max {
            first = data;
        } else if seen <= max {
            rest.extend_from_slice(&data);
        } else if seen > DISCARDED_BYTES_MAX {
            break;
        }
    }
    if seen > max {
        return Err(Problem::new(codes::TOO_LARGE, format!("The body may have at most {max} bytes.")));
    }
    Ok(if rest.is_empty() { first } else { [first.as_ref(), &rest].concat().into() })
}

/// The media type of the body without parameters such as a charset; empty if there is no valid
/// `Content-Type`.
pub fn media_type(headers: &HeaderMap) -> &str {
    let value = headers.get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or("");
    value.split(';').next().unwrap_or("").trim()
}

fn malformed(error: &serde_json::Error) -> Problem {
    Problem::new(codes::MALFORMED_JSON, format!("The body is not JSON: {error}."))
}

/// The error of a field, in the words of this API instead of serde's.
fn field_error(path: String, message: &str) -> FieldError {
    let named = |prefix: &str| message.strip_prefix(prefix)?.split('`').next();
    let within = |name: &str| if path.is_empty() { name.to_owned() } else { format!("{path}.{name}") };
    if let Some(name) = named("missing field `") {
        return FieldError::missing(within(name));
    }
    if let Some(name) = named("unknown field `") {
        let path = if path.rsplit('.').next() == Some(name) { path } else { within(name) };
        return FieldError::new(path, "is not a known field");
    }
    if message.starts_with("invalid type: null") {
        return FieldError::missing(path);
    }
    FieldError::new(path, message)
}

fn is_json(headers: &HeaderMap) -> bool {
    let essence = media_type(headers);
    essence.eq_ignore_ascii_case("application/json") || {
        let essence = essence.to_ascii_lowercase();
        essence.starts_with("application/") && essence.ends_with("+json")
    }
}
