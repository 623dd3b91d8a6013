//! `/api/auth/…` and `/api/user…`.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::Accounts;
use super::User;
use super::change_password::{PasswordBody, change_password as change};
use super::extract::CurrentUser;
use super::hashing::HashError;
use super::profile::{ProfileBody, change_profile};
use super::reset_password::reset_password as reset;
use super::session::Visitor;
use super::sign_in::{Entry, sign_in};
use super::sign_out::sign_out;
use crate::codes;
use platform::fields::Fields;
use platform::http::HttpSettings;
use platform::http::body::JsonBody;
use platform::http::cookie;
use platform::http::patch::MergePatch;
use platform::http::problem::Problem;
use platform::shape::New;
use platform::verb::Refusal;

type UserPatch = MergePatch<ProfileBody>;
type PasswordChange = New<PasswordBody>;

#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct LoginBody {
    email: String,
    #[schema(format = Password)]
    password: String,
}

#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ResetBody {
    /// The last part of the link's address.
    token: String,
    /// Neither a common password nor the user's e-mail or name.
    #[schema(min_length = 8, max_length = 256, format = Password)]
    password: String,
}

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = User)]
pub struct UserView {
    #[schema(format = "uuid")]
    id: String,
    email: String,
    name: String,
    locale: Option<String>,
    #[schema(format = DateTime)]
    created_at: String,
}

#[derive(Serialize, ToSchema)]
pub struct UserAnswer {
    user: UserView,
}

impl From<User> for UserAnswer {
    fn from(user: User) -> Self {
        let User { id, email, name, locale, created_at, .. } = user;
        let created_at = created_at.to_string();
        Self { user: UserView { id: id.to_string(), email, name, locale, created_at } }
    }
}

/// Signs in.
///
/// 401 `INVALID_CREDENTIALS`; 429 after too many wrong passwords for this account from the same address. A
/// browser in which the user has signed in before is known by a cookie, and has a limit of its own.
#[utoipa::path(post, path = "/api/auth/login", tag = "accounts", request_body = LoginBody,
    responses((status = 200, body = UserAnswer)))]
pub async fn login(
    State(accounts): State<Arc<Accounts>>,
    visitor: Visitor,
    body: JsonBody,
) -> Result<Response, Problem> {
    let LoginBody { email, password } = body.read()?;
    let entry = sign_in(&accounts, &visitor, &email, password).await?;
    Ok(signed_in(StatusCode::OK, entry, &accounts.http))
}

/// Signs out. Without a session the answer is the same.
#[utoipa::path(post, path = "/api/auth/logout", tag = "accounts", responses((status = 204)))]
pub async fn logout(State(accounts): State<Arc<Accounts>>, visitor: Visitor) -> Result<Response, Problem> {
    if let Some(session) = &visitor.session {
        sign_out(&accounts, session).await?;
    }
    Ok((StatusCode::NO_CONTENT, cookie::end(&accounts.http)).into_response())
}

/// Sets a new password with the token of a link. Every session of the user ends.
///
/// 422 `TOKEN_INVALID` if the link was used or has expired; 429 after too many wrong guesses.
#[utoipa::path(post, path = "/api/auth/reset-password", tag = "accounts", request_body = ResetBody,
    responses((status = 204)))]
pub async fn reset_password(
    State(accounts): State<Arc<Accounts>>,
    visitor: Visitor,
    body: JsonBody,
) -> Result<StatusCode, Problem> {
    let ResetBody { token, password } = body.read()?;
    let mut fields = Fields::default();
    let Some(new) = fields.parse("password", &password) else {
        return Err(fields.into());
    };
    reset(&accounts, &visitor, &token, new).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// The signed-in user.
#[utoipa::path(get, path = "/api/user", tag = "accounts", responses((status = 200, body = UserAnswer)))]
pub async fn get_user(CurrentUser(user): CurrentUser) -> Json<UserAnswer> {
    Json(Arc::unwrap_or_clone(user).user.into())
}

/// Changes the name, the e-mail or the locale by a JSON merge patch. A new e-mail ends every other session.
///
/// 403 `WRONG_PASSWORD`; 409 `EMAIL_TAKEN`; 429 after too many wrong guesses.
#[utoipa::path(patch, path = "/api/user", tag = "accounts",
    request_body(content = UserPatch, content_type = "application/merge-patch+json"),
    responses((status = 200, body = UserAnswer)))]
pub async fn patch_user(
    State(accounts): State<Arc<Accounts>>,
    CurrentUser(user): CurrentUser,
    visitor: Visitor,
    body: JsonBody,
) -> Result<Json<UserAnswer>, Problem> {
    Ok(Json(change_profile(&accounts, &visitor, user.id, body).await?.into()))
}

/// Changes the password. Every other session ends.
///
/// 403 `WRONG_PASSWORD`; 429 after too many wrong guesses.
#[utoipa::path(post, path = "/api/user/password", tag = "accounts", request_body = PasswordChange,
    responses((status = 204)))]
pub async fn change_password(
    State(accounts): State<Arc<Accounts>>,
    CurrentUser(user): CurrentUser,
    visitor: Visitor,
    body: JsonBody,
) -> Result<StatusCode, Problem> {
    change(&accounts, &visitor, user.id, body).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// The answer to a user who has just signed in.
pub fn signed_in(status: StatusCode, entry: Entry, settings: &HttpSettings) -> Response {
    let Entry { user, session, device } = entry;
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
