//! The header `Idempotency-Key`, and the answer to a repeated request.

use std::convert::Infallible;

use axum::extract::{FromRequest, FromRequestParts, Request};
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderName, HeaderValue};
use axum::response::Response;
use utoipa::IntoParams;
use utoipa::openapi::path::{Parameter, ParameterBuilder, ParameterIn};
use utoipa::openapi::schema::{ObjectBuilder, Type};

use super::body::{FILE_BYTES_MAX, JsonBody};
use super::problem::Problem;
use crate::body::Body;
use crate::fields::Object;
use crate::idempotency::{IdempotencyKey, KEY_BYTES_MAX, KeyedRequest};

const IDEMPOTENCY_KEY: HeaderName = HeaderName::from_static("idempotency-key");
const IDEMPOTENT_REPLAYED: HeaderName = HeaderName::from_static("idempotent-replayed");

/// The key of a request, if one was sent. An invalid key is reported when the body is read, not before.
#[derive(Debug, Clone)]
pub struct GivenKey(pub Result<Option<IdempotencyKey>, Problem>);

impl GivenKey {
    pub(super) fn of(headers: &HeaderMap) -> Self {
        Self(parse(headers))
    }
}

impl<S: Send + Sync> FromRequestParts<S> for GivenKey {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, _state: &S) -> Result<Self, Infallible> {
        Ok(Self::of(&parts.headers))
    }
}

impl IntoParams for GivenKey {
    fn into_params(_in: impl Fn() -> Option<ParameterIn>) -> Vec<Parameter> {
        let about = "1–64 visible ASCII characters: a repeat with the same body gets the first answer";
        let header = ParameterBuilder::new().name("Idempotency-Key").parameter_in(ParameterIn::Header);
        let text = ObjectBuilder::new()
            .schema_type(Type::String)
            .min_length(Some(1))
            .max_length(Some(KEY_BYTES_MAX))
            .pattern(Some("^[!-~]+$"))
            .build();
        vec![header.description(Some(about)).schema(Some(text)).build()]
    }
}

fn parse(headers: &HeaderMap) -> Result<Option<IdempotencyKey>, Problem> {
    let mut values = headers.get_all(IDEMPOTENCY_KEY).iter();
    let Some(value) = values.next() else { return Ok(None) };
    let invalid = |message: String| Problem::field("Idempotency-Key", message);
    if values.next().is_some() {
        return Err(invalid("must be given once".to_owned()));
    }
    // A value that is not visible ASCII has no text here, and is not a key either.
    let key = value.to_str().unwrap_or_default().parse::<IdempotencyKey>();
    key.map(Some).map_err(|error| invalid(error.to_string()))
}

/// The body of a request that creates a resource, with its key.
#[derive(Debug)]
pub struct KeyedBody {
    key: GivenKey,
    body: JsonBody,
}

impl<S: Send + Sync> FromRequest<S> for KeyedBody {
    type Rejection = Infallible;

    async fn from_request(request: Request, state: &S) -> Result<Self, Infallible> {
        let key = GivenKey::of(request.headers());
        Ok(Self { key, body: JsonBody::from_request(request, state).await? })
    }
}

/// A body with its key that is a whole file, of at most [`FILE_BYTES_MAX`].
#[derive(Debug)]
pub struct FileBody(pub KeyedBody);

impl<S: Send + Sync> FromRequest<S> for FileBody {
    type Rejection = Infallible;

    async fn from_request(request: Request, _state: &S) -> Result<Self, Infallible> {
        let key = GivenKey::of(request.headers());
        Ok(Self(KeyedBody { key, body: JsonBody::received(request, FILE_BYTES_MAX).await }))
    }
}

impl Body for KeyedBody {
    fn keyed(&self) -> Result<Option<KeyedRequest>, Problem> {
        let GivenKey(key) = self.key.clone();
        Ok(key?.map(|key| KeyedRequest::new(key, self.body.bytes())))
    }

    fn read(self) -> Result<Object, Problem> {
        Body::read(self.body)
    }
}

/// Marks the answer to a request that an earlier one with the same key had answered.
pub fn replayed(mut response: Response, is_replayed: bool) -> Response {
    if is_replayed {
        response.headers_mut().insert(IDEMPOTENT_REPLAYED, HeaderValue::from_static("true"));
    }
    response
}
