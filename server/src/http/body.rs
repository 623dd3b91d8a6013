//! JSON bodies, read strictly. A handler takes a [`JsonBody`] and reads it after it has looked at the path,
//! since who may not know of a thing is not told what is wrong with the body (contract, section 1).

use axum::body::Bytes;
use axum::extract::{FromRequest, Request};
use axum::http::{HeaderMap, header};
use serde::de::DeserializeOwned;

use super::problem::{Code, FieldError, Problem};
use crate::fields::{path_of, words_of};

/// The largest body but for uploads.
pub const BODY_BYTES_MAX: usize = 64 * 1024;

/// A body that is not read yet.
#[derive(Debug)]
pub struct JsonBody {
    received: Result<Bytes, Problem>,
}

impl<S: Send + Sync> FromRequest<S> for JsonBody {
    type Rejection = std::convert::Infallible;

    async fn from_request(request: Request, _state: &S) -> Result<Self, Self::Rejection> {
        let (parts, body) = request.into_parts();
        let received = match axum::body::to_bytes(body, BODY_BYTES_MAX).await {
            Err(_) => Err(Problem::new(Code::TooLarge, format!("At most {BODY_BYTES_MAX} bytes are read."))),
            Ok(_) if !is_json(&parts.headers) => Err(Problem::new(
                Code::UnsupportedMediaType,
                "Send the body as `Content-Type: application/json`.",
            )),
            Ok(bytes) => Ok(bytes),
        };
        Ok(Self { received })
    }
}

impl JsonBody {
    /// The bytes as they came, for a key that stands for exactly these.
    pub fn bytes(&self) -> &[u8] {
        self.received.as_deref().unwrap_or_default()
    }

    /// Parses the whole body; `T` refuses unknown fields itself.
    pub fn read<T: DeserializeOwned>(&self) -> Result<T, Problem> {
        let bytes = self.received.as_ref().map_err(Clone::clone)?;
        // Syntax before shape: what is wrong with a field is no news while the text is no JSON.
        if let Err(error) = serde_json::from_slice::<serde::de::IgnoredAny>(bytes) {
            return Err(Problem::new(Code::MalformedJson, format!("The body is not JSON: {error}.")));
        }
        let mut source = serde_json::Deserializer::from_slice(bytes);
        serde_path_to_error::deserialize(&mut source).map_err(|error| {
            let (path, message) = (path_of(error.path()), words_of(error.inner()));
            Problem::fields(vec![FieldError::new(path, message)])
        })
    }
}

fn is_json(headers: &HeaderMap) -> bool {
    let value = headers.get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or("");
    let essence = value.split(';').next().unwrap_or("").trim().to_ascii_lowercase();
    essence == "application/json" || (essence.starts_with("application/") && essence.ends_with("+json"))
}
