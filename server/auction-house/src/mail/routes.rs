//! `/api/auth/forgot-password`.

use std::sync::Arc;

use axum::extract::State;
use axum::http::StatusCode;
use serde::Deserialize;
use utoipa::ToSchema;

use super::forgot_password::forgot_password;
use crate::accounts::Accounts;
use crate::accounts::extract::Visitor;
use crate::context::Context;
use platform::fields::Fields;
use platform::http::body::JsonBody;
use platform::http::problem::Problem;

#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ForgotBody {
    /// Of the account.
    #[schema(format = Email)]
    email: String,
}

/// Mails a link with which the user sets a new password, if there is such an account and this installation sends mail.
///
/// The answer does not say whether there is one. 429 after too many requests from one address or for one e-mail.
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
