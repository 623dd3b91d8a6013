//! `/api/user/second-factor…`

use std::sync::Arc;

use crate::context::Accounts;
use crate::extract::CurrentUser;
use crate::second_factor::RecoveryCode;
use crate::second_factor::begin::{ProofBody, begin};
use crate::second_factor::confirm::{CodeBody, confirm};
use crate::second_factor::renew_codes::renew_codes;
use crate::second_factor::turn_off::{TurnOffBody, turn_off};
use crate::session::Visitor;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use serde::Serialize;
use utoipa::ToSchema;

use platform::http::body::JsonBody;
use platform::http::json::Json;
use platform::http::problem::Problem;
use platform::shape::New;

type Proof = New<ProofBody>;
type Code = New<CodeBody>;
type TurnOff = New<TurnOffBody>;

/// Secret for an app that shows codes. It is not in force before a code is confirmed.
#[derive(Serialize, ToSchema)]
#[schema(as = SecondFactorSetup)]
pub struct SetupView {
    /// In base32, to be typed into an app.
    secret: String,
    /// The same as an address, for a QR code.
    uri: String,
}

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = RecoveryCodes)]
pub struct RecoveryCodesView {
    /// Ten codes, each of which takes the place of a code of the app once. They are not shown again.
    recovery_codes: Vec<String>,
}

impl From<Vec<RecoveryCode>> for RecoveryCodesView {
    fn from(codes: Vec<RecoveryCode>) -> Self {
        Self { recovery_codes: codes.into_iter().map(RecoveryCode::into_string).collect() }
    }
}

/// Makes a secret for an app that shows codes. A new one replaces one that was not confirmed.
///
/// 403 `WRONG_PASSWORD`; 409 `SECOND_FACTOR_ON`; 429 after too many wrong guesses.
#[utoipa::path(post, path = "/api/user/second-factor", tag = "accounts", request_body = Proof,
    responses((status = 201, body = SetupView)))]
pub async fn post_second_factor(
    State(accounts): State<Arc<Accounts>>,
    CurrentUser(user): CurrentUser,
    visitor: Visitor,
    headers: HeaderMap,
    body: JsonBody,
) -> Result<(StatusCode, Json<SetupView>), Problem> {
    let secret = begin(&accounts, &visitor, user.id, body).await?;
    let uri = secret.uri(&accounts.http.site(&headers), user.email.as_deref().unwrap_or_default());
    let uri = uri.map_err(|error| Problem::internal(&error))?;
    Ok((StatusCode::CREATED, Json(SetupView { secret: secret.to_base32(), uri })))
}

/// Turns the second factor on with the first code of the app. Every other session ends.
///
/// 403 `WRONG_CODE`; 409 `SECOND_FACTOR_ON`, `SECOND_FACTOR_OFF`; 429 after too many wrong guesses.
#[utoipa::path(post, path = "/api/user/second-factor/confirm", tag = "accounts", request_body = Code,
    responses((status = 200, body = RecoveryCodesView)))]
pub async fn post_confirm(
    State(accounts): State<Arc<Accounts>>,
    CurrentUser(user): CurrentUser,
    visitor: Visitor,
    body: JsonBody,
) -> Result<Json<RecoveryCodesView>, Problem> {
    Ok(Json(confirm(&accounts, &visitor, user.id, body).await?.into()))
}

/// Turns the second factor off. Every other session ends.
///
/// 403 `WRONG_PASSWORD`, `WRONG_CODE`; 409 `SECOND_FACTOR_OFF`, `SECOND_FACTOR_NEEDED`; 429 after too many
/// wrong guesses.
#[utoipa::path(delete, path = "/api/user/second-factor", tag = "accounts", request_body = TurnOff,
    responses((status = 204)))]
pub async fn delete_second_factor(
    State(accounts): State<Arc<Accounts>>,
    CurrentUser(user): CurrentUser,
    visitor: Visitor,
    body: JsonBody,
) -> Result<StatusCode, Problem> {
    turn_off(&accounts, &visitor, user.id, body).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Replaces the recovery codes.
///
/// 403 `WRONG_PASSWORD`, `WRONG_CODE`; 409 `SECOND_FACTOR_OFF`; 429 after too many wrong guesses.
#[utoipa::path(post, path = "/api/user/second-factor/recovery-codes", tag = "accounts", request_body = TurnOff,
    responses((status = 200, body = RecoveryCodesView)))]
pub async fn post_recovery_codes(
    State(accounts): State<Arc<Accounts>>,
    CurrentUser(user): CurrentUser,
    visitor: Visitor,
    body: JsonBody,
) -> Result<Json<RecoveryCodesView>, Problem> {
    Ok(Json(renew_codes(&accounts, &visitor, user.id, body).await?.into()))
}
