//! The extractor of the signed-in user.

use std::sync::Arc;

use axum::extract::{FromRef, FromRequestParts};
use axum::http::request::Parts;
use platform::http::problem::{Code, Problem};
use platform::http::{HttpSettings, cookie};
use platform::token::TokenHash;

use super::Sessions;
use crate::ids::UserId;

/// The signed-in user of a request and the session. A request without one is refused with 401. A request that changes
/// something counts as a write of the user, and is refused after too many.
#[derive(Debug, Clone)]
pub struct SignedIn {
    pub user: UserId,
    pub session: TokenHash,
}

impl<S> FromRequestParts<S> for SignedIn
where
    S: Send + Sync,
    Arc<HttpSettings>: FromRef<S>,
    Arc<dyn Sessions>: FromRef<S>,
{
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Problem> {
        let unauthenticated = || Problem::plain(Code::Unauthenticated);
        let http = Arc::<HttpSettings>::from_ref(state);
        let token = cookie::token(&parts.headers, &http).ok_or_else(unauthenticated)?;
        let session = TokenHash::of(token);
        let sessions = Arc::<dyn Sessions>::from_ref(state);
        let user = sessions.user(&session).await?.ok_or_else(unauthenticated)?;
        if !parts.method.is_safe() {
            sessions.count_write(user)?;
        }
        Ok(Self { user, session })
    }
}
