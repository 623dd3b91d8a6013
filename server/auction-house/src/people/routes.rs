//! Registration, upgrades, confirmed e-mails and deletion in `/api/auth/…` and `/api/user…`.

use std::sync::Arc;

use accounts::Accounts;
use accounts::extract::CurrentUser;
use accounts::registration::Registration;
use accounts::routes::{UserAnswer, signed_in};
use accounts::session::Visitor;
use accounts::upgrade::UpgradeRefusal;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use platform::http::body::JsonBody;
use platform::http::cookie;
use platform::http::json::Json;
use platform::http::problem::Problem;
use platform::shape::New;
use platform::verb::Refusal;
use serde::Deserialize;
use utoipa::ToSchema;

use super::confirm_email::confirm_email as confirm;
use super::delete::{DeleteBody, delete_account};
use super::register::register as make_account;
use super::upgrade::{upgrade, upgrade_terms};
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
    /// Token of an invite, or of the link of an auction: it admits where registration is by invitation.
    #[serde(rename = "inviteToken")]
    invite_token: Option<String>,
}

#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct UpgradeBody {
    /// At most 254 bytes; unique without regard to case.
    #[schema(format = Email)]
    email: String,
    /// Neither a common password nor the user's e-mail or name.
    #[schema(min_length = 8, max_length = 256, format = Password)]
    password: String,
    /// By default the name that the user has.
    #[schema(min_length = 1, max_length = 100)]
    name: Option<String>,
    /// With which the user signs in, as a proof.
    #[schema(format = Password)]
    pin: String,
}

#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ConfirmBody {
    /// The last part of the link's address.
    token: String,
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
    let registration = Registration::parse(&email, &password, &name, &[accounts.site_name()])?;
    let entry = make_account(&accounts, &visitor, registration, invite_token.as_deref()).await?;
    Ok(signed_in(StatusCode::CREATED, entry, &accounts.http))
}

/// Gives a managed user an e-mail and a password, in place of the PIN. Number, bids, balances and roles stay.
///
/// Every other session ends, and the keepers are told. 403 `WRONG_PASSWORD` for a wrong PIN, 403 for a user
/// who has an e-mail, and `REGISTRATION_CLOSED` where registration is closed; 409 `EMAIL_TAKEN`.
#[utoipa::path(post, path = "/api/user/upgrade", tag = "accounts", request_body = UpgradeBody,
    responses((status = 200, body = UserAnswer)))]
pub async fn post_upgrade(
    State(accounts): State<Arc<Accounts>>,
    State(context): State<Context>,
    CurrentUser(user): CurrentUser,
    visitor: Visitor,
    body: JsonBody,
) -> Result<Json<UserAnswer>, Problem> {
    if !user.is_managed() {
        return Err(UpgradeRefusal::NotManaged.problem());
    }
    let UpgradeBody { email, password, name, pin } = body.read()?;
    let typed = (email.as_str(), password.as_str(), name.as_deref());
    let registration = upgrade_terms(&accounts, &user, typed).await?;
    Ok(Json(upgrade(&accounts, &context, &visitor, user.id, pin, registration).await?.into()))
}

/// Confirms the e-mail of an account with the token of a link. The user need not be signed in.
///
/// 422 `TOKEN_INVALID` if the link was used or has expired; 429 after too many wrong guesses.
#[utoipa::path(post, path = "/api/auth/confirm-email", tag = "accounts", request_body = ConfirmBody,
    responses((status = 204)))]
pub async fn confirm_email(
    State(accounts): State<Arc<Accounts>>,
    State(context): State<Context>,
    visitor: Visitor,
    body: JsonBody,
) -> Result<StatusCode, Problem> {
    let ConfirmBody { token } = body.read()?;
    confirm(&accounts, &context, &visitor, &token).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Deletes the account. Bids and items stay, as a deleted user's.
///
/// 403 `WRONG_PASSWORD`; 409 `DEPLOYMENT_ADMIN`, `OWNS_AUCTIONS`, `LAST_KEEPER`, `LEADS_OPEN_ITEMS`;
/// `TOO_EARLY` within a day after an upgrade.
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
