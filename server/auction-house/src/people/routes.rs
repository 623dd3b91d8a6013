//! `/api/auth/register`, `/api/auth/forgot-password` and the deletion of `/api/user`.

use std::sync::Arc;

use accounts::Accounts;
use accounts::extract::CurrentUser;
use accounts::register::Registration;
use accounts::routes::{UserAnswer, signed_in};
use accounts::session::Visitor;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use platform::fields::Fields;
use platform::http::body::JsonBody;
use platform::http::cookie;
use platform::http::problem::Problem;
use platform::shape::New;
use serde::Deserialize;
use utoipa::ToSchema;

use super::delete::{DeleteBody, delete_account};
use super::forgot_password::forgot_password;
use super::register::register as make_account;
use crate::context::Context;

type AccountDeletion = New<DeleteBody>;

#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct RegisterBody {
    /// At most 254 bytes; unique without regard to case.
    #[schema(format = Email)]
    email: String,
    /// Neither a common password nor the user's e-mail or name.
    #[schema(min_length = 8, max_length = 256, format = Password)]
    password: String,
    #[schema(min_length = 1, max_length = 100)]
    name: String,
    /// Of an invite, or of the link of an auction: it admits where registration is by invitation.
    #[serde(rename = "inviteToken")]
    invite_token: Option<String>,
}

#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ForgotBody {
    /// Of the account.
    #[schema(format = Email)]
    email: String,
}

/// Makes an account and signs in.
///
/// 403 `REGISTRATION_CLOSED`; 409 `EMAIL_TAKEN`.
#[utoipa::path(post, path = "/api/auth/register", tag = "accounts", request_body = RegisterBody,
    responses((status = 201, body = UserAnswer)))]
pub async fn register(
    State(accounts): State<Arc<Accounts>>,
    visitor: Visitor,
    body: JsonBody,
) -> Result<Response, Problem> {
    let RegisterBody { email, password, name, invite_token } = body.read()?;
    let registration = Registration::parse(&email, &password, &name)?;
    let entry = make_account(&accounts, &visitor, registration, invite_token.as_deref()).await?;
    Ok(signed_in(StatusCode::CREATED, entry, &accounts.http))
}

/// Mails a link with which the user sets a new password, if there is such an account and this installation
/// sends mail.
///
/// The answer does not say whether there is one. 429 after too many requests from one address or for one
/// e-mail.
#[utoipa::path(post, path = "/api/auth/forgot-password", tag = "accounts", request_body = ForgotBody,
    responses((status = 204)))]
pub async fn post_forgot_password(
    State(accounts): State<Arc<Accounts>>,
    State(context): State<Context>,
    visitor: Visitor,
    body: JsonBody,
) -> Result<StatusCode, Problem> {
    let ForgotBody { email } = body.read()?;
    let mut fields = Fields::default();
    let Some(email) = fields.parse("email", &email) else { return Err(fields.into()) };
    forgot_password(&accounts, context.notifier, &visitor, &email).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Deletes the account. Bids and items stay, as a deleted user's.
///
/// 403 `WRONG_PASSWORD`; 409 `DEPLOYMENT_ADMIN`, `OWNS_AUCTIONS`, `LEADS_OPEN_ITEMS`.
#[utoipa::path(delete, path = "/api/user", tag = "accounts", request_body = AccountDeletion,
    responses((status = 204)))]
pub async fn delete_user(
    State(accounts): State<Arc<Accounts>>,
    CurrentUser(user): CurrentUser,
    visitor: Visitor,
    body: JsonBody,
) -> Result<Response, Problem> {
    delete_account(&accounts, &visitor, user.id, body).await?;
    Ok((StatusCode::NO_CONTENT, cookie::end(&accounts.http)).into_response())
}
