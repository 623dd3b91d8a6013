//! `/api/auth/logout` and `/api/user`, and the answer to a sign-in.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use utoipa::ToSchema;

use super::Accounts;
use super::User;
use super::extract::CurrentUser;
use super::hashing::HashError;
use super::session::Visitor;
use super::sign_in::Entry;
use super::sign_out::sign_out;
use crate::codes;
use platform::http::HttpSettings;
use platform::http::cookie;
use platform::http::problem::Problem;
use platform::verb::Refusal;

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = User)]
pub struct UserView {
    #[schema(format = "uuid")]
    id: String,
    /// Null for a managed user.
    email: Option<String>,
    /// When the user confirmed the e-mail by the link of a mail. Null: it gives no rights.
    #[schema(format = DateTime)]
    email_verified_at: Option<String>,
    name: String,
    locale: Option<String>,
    /// The user has no e-mail, and signs in with the number in a group.
    managed: bool,
    /// Signing in takes a code besides the password.
    second_factor: bool,
    #[schema(format = DateTime)]
    created_at: String,
}

#[derive(Serialize, ToSchema)]
pub struct UserAnswer {
    user: UserView,
}

impl From<User> for UserAnswer {
    fn from(user: User) -> Self {
        let managed = user.is_managed();
        let User { id, email, email_verified_at, name, locale, has_second_factor, created_at, .. } = user;
        let email_verified_at = email_verified_at.map(|at| at.to_string());
        Self {
            user: UserView {
                id: id.to_string(),
                email,
                email_verified_at,
                name,
                locale,
                managed,
                second_factor: has_second_factor,
                created_at: created_at.to_string(),
            },
        }
    }
}

/// Signs out. Without a session the answer is the same.
#[utoipa::path(post, path = "/api/auth/logout", tag = "accounts", responses((status = 204)))]
pub async fn logout(State(accounts): State<Arc<Accounts>>, visitor: Visitor) -> Result<Response, Problem> {
    if let Some(session) = &visitor.session {
        sign_out(&accounts, session).await?;
    }
    Ok((StatusCode::NO_CONTENT, cookie::end(&accounts.http)).into_response())
}

/// The signed-in user.
#[utoipa::path(get, path = "/api/user", tag = "accounts", responses((status = 200, body = UserAnswer)))]
pub async fn get_user(CurrentUser(user): CurrentUser) -> Json<UserAnswer> {
    Json(Arc::unwrap_or_clone(user).user.into())
}

/// The answer to a user who has just signed in.
pub fn signed_in(status: StatusCode, entry: Entry, settings: &HttpSettings) -> Response {
    let Entry { user, session, device, .. } = entry;
    let cookies = cookie::begin(session.as_str(), &device.to_string(), settings);
    (status, cookies, Json(UserAnswer::from(user))).into_response()
}

impl Refusal for HashError {
    fn problem(self) -> Problem {
        match self {
            Self::Busy => Problem::plain(codes::OVERLOADED).retry_after(2),
            Self::Failed(_) | Self::Entropy(_) => Problem::internal(&self),
        }
    }
}
