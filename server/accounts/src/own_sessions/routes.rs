//! `/api/user/sessions…`

use std::sync::Arc;

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use utoipa::ToSchema;

use super::end::end_session;
use crate::context::Accounts;
use crate::extract::CurrentUser;
use crate::ids::SessionId;
use crate::path::SessionPath;
use crate::session::store as sessions;
use crate::session::{SESSIONS_MAX, Session};
use platform::http::cookie;
use platform::http::json::Json;
use platform::http::path::At;
use platform::http::problem::Problem;

/// A browser or another client in which the user is signed in.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = Session)]
pub struct SessionView {
    #[schema(format = "uuid")]
    id: String,
    #[schema(format = DateTime)]
    created_at: String,
    /// Recorded once an hour.
    #[schema(format = DateTime)]
    last_used_at: String,
    /// Where the user signed in: an IPv4 address, or the network of an IPv6 address such as
    /// `2001:db8:1:2::/64`.
    address: String,
    /// The header `User-Agent` of the sign-in: at most 256 printable ASCII characters. Null if there was
    /// none.
    user_agent: Option<String>,
    /// The session of this request.
    current: bool,
}

#[derive(Serialize, ToSchema)]
#[schema(as = Sessions)]
pub struct SessionsView {
    sessions: Vec<SessionView>,
}

impl SessionView {
    fn of(session: Session, current: SessionId) -> Self {
        let Session { id, created_at, last_used_at, address, user_agent } = session;
        Self {
            id: id.to_string(),
            created_at: created_at.to_string(),
            last_used_at: last_used_at.to_string(),
            address,
            user_agent,
            current: id == current,
        }
    }
}

/// The user's sessions, the last used first. There are at most 50: a further one takes the place of the one
/// that was not used for the longest time.
#[utoipa::path(get, path = "/api/user/sessions", tag = "accounts",
    responses((status = 200, body = SessionsView)))]
pub async fn get_sessions(
    State(accounts): State<Arc<Accounts>>,
    CurrentUser(user): CurrentUser,
) -> Result<Json<SessionsView>, Problem> {
    let mut db = accounts.db.read().await?;
    let found = sessions::of_user(&mut db, user.id, accounts.clock.now(), SESSIONS_MAX).await?;
    let sessions = found.into_iter().map(|session| SessionView::of(session, user.session)).collect();
    Ok(Json(SessionsView { sessions }))
}

/// Ends one of the user's sessions. Ending the session of the request signs out.
#[utoipa::path(delete, path = "/api/user/sessions/{session_id}", tag = "accounts",
    params(("session_id" = String, Path)), responses((status = 204)))]
pub async fn delete_session(
    State(accounts): State<Arc<Accounts>>,
    CurrentUser(user): CurrentUser,
    At(SessionPath { session_id }): At<SessionPath>,
) -> Result<Response, Problem> {
    end_session(&accounts, user.id, session_id).await?;
    let mut response = StatusCode::NO_CONTENT.into_response();
    if user.session == session_id {
        response.headers_mut().extend(cookie::end(&accounts.http));
    }
    Ok(response)
}
