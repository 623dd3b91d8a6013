//! Ids in paths. A malformed id is 404 without a query.

use axum::extract::{FromRequestParts, Path};
use axum::http::request::Parts;

use super::problem::Problem;

/// The parameters of the path as `T`, or 404.
#[derive(Debug, Clone, Copy)]
pub struct At<T>(pub T);

impl<S, T> FromRequestParts<S> for At<T>
where
    S: Send + Sync,
    T: serde::de::DeserializeOwned + Send,
{
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Problem> {
        let path = Path::<T>::from_request_parts(parts, state).await;
        path.map(|Path(path)| Self(path)).map_err(|_| Problem::not_found())
    }
}
