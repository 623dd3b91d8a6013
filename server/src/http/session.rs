//! Who a request comes from, as handlers ask for it: by the session whose token its cookie carries.

use std::convert::Infallible;

use axum::extract::FromRequestParts;
use axum::http::request::Parts;

use super::client_address::ClientAddress;
use super::cookie;
use super::problem::{Code, Problem};
use crate::accounts::session::{CurrentUser, MaybeUser, TokenHash, Visitor, find};
use crate::state::AppState;

impl FromRequestParts<AppState> for MaybeUser {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, state: &AppState) -> Result<Self, Problem> {
        match cookie::token(&parts.headers, &state.settings) {
            Some(token) => Ok(Self(find(state, TokenHash::of(token)).await?)),
            None => Ok(Self(None)),
        }
    }
}

impl FromRequestParts<AppState> for CurrentUser {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, state: &AppState) -> Result<Self, Problem> {
        let MaybeUser(user) = MaybeUser::from_request_parts(parts, state).await?;
        user.map(Self).ok_or_else(|| Problem::plain(Code::Unauthenticated))
    }
}

impl FromRequestParts<AppState> for Visitor {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, state: &AppState) -> Result<Self, Infallible> {
        let address = ClientAddress::from_request_parts(parts, state).await?;
        let session = cookie::token(&parts.headers, &state.settings).map(TokenHash::of);
        Ok(Self { address, session })
    }
}
