//! Bodies that are CSV tables, with the idempotency key of their header.

use std::convert::Infallible;

use axum::body::Bytes;
use axum::extract::{FromRequest, Request};

use super::body::{media_type, receive_up_to};
use super::keyed::GivenKey;
use super::problem::Problem;
use crate::body::Body;
use crate::fields::Object;
use crate::http::codes;
use crate::idempotency::KeyedRequest;
use crate::table;

/// Bytes of a table, at most.
const BYTES_MAX: usize = 1024 * 1024;

/// A table that is not read yet. It is read as the member `csv` of an object.
#[derive(Debug)]
pub struct CsvBody {
    key: GivenKey,
    received: Result<Bytes, Problem>,
}

impl<S: Send + Sync> FromRequest<S> for CsvBody {
    type Rejection = Infallible;

    async fn from_request(request: Request, _state: &S) -> Result<Self, Infallible> {
        let (parts, body) = request.into_parts();
        let key = GivenKey::of(&parts.headers);
        let received = match receive_up_to(body, BYTES_MAX).await {
            Ok(_) if !media_type(&parts.headers).eq_ignore_ascii_case("text/csv") => Err(Problem::new(
                codes::UNSUPPORTED_MEDIA_TYPE,
                "Send the table as `Content-Type: text/csv`.",
            )),
            received => received,
        };
        Ok(Self { key, received })
    }
}

impl CsvBody {
    /// # Errors
    /// The body is too large, of another media type, or no text.
    pub fn text(self) -> Result<String, Problem> {
        table::decode(self.received?.into()).map_err(|error| Problem::field("", error.to_string()))
    }
}

impl Body for CsvBody {
    fn keyed(&self) -> Result<Option<KeyedRequest>, Problem> {
        let GivenKey(key) = self.key.clone();
        let bytes = self.received.as_deref().unwrap_or_default();
        Ok(key?.map(|key| KeyedRequest::new(key, bytes)))
    }

    fn read(self) -> Result<Object, Problem> {
        let mut object = Object::default();
        object.set("csv", &self.text()?);
        Ok(object)
    }
}
