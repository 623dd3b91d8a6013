//! Whether this server is alive and ready to be sent requests, and `/api/system/settings`.

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use serde::Serialize;
use utoipa::ToSchema;

use super::admin::AdminError;
use super::change_settings::{SettingsError, change_settings};
use super::{SystemSettings, store};
use crate::accounts::session::CurrentUser;
use crate::http::body::JsonBody;
use crate::http::problem::{Code, Problem};
use crate::state::AppState;

/// The installation's own settings.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = SystemSettings)]
pub struct SettingsView {
    /// Of the Deployment Admin, as it is in the account; null while there is none.
    #[schema(format = Email)]
    deployment_admin_email: Option<String>,
    /// Whether it is asked by itself for new releases.
    auto_check_updates: bool,
}

/// What is left out stays, and null is refused: the administration is handed on, never dropped.
#[derive(ToSchema)]
#[schema(as = SystemSettingsPatch, rename_all = "camelCase")]
pub struct SettingsPatch {
    /// One's own while nobody is the Deployment Admin; a registered user's, by the Deployment Admin.
    #[schema(format = Email, required = false)]
    pub deployment_admin_email: String,
    /// By the Deployment Admin only.
    #[schema(required = false)]
    pub auto_check_updates: bool,
}

impl From<SystemSettings> for SettingsView {
    fn from(set: SystemSettings) -> Self {
        Self {
            deployment_admin_email: set.admin.map(|admin| admin.email),
            auto_check_updates: set.auto_check_updates,
        }
    }
}

/// Alive: the process answers.
#[utoipa::path(get, path = "/healthz", tag = "system", responses((status = 200, description = "Alive")))]
pub async fn healthz() -> StatusCode {
    StatusCode::OK
}

/// Ready: the database answers. Its schema was brought up to date before the server began to listen.
#[utoipa::path(get, path = "/readyz", tag = "system", responses((status = 200, description = "Ready")))]
pub async fn readyz(State(state): State<AppState>) -> Result<StatusCode, Problem> {
    match state.db.ping().await {
        Ok(()) => Ok(StatusCode::OK),
        Err(error) => {
            tracing::error!(error = &error as &dyn std::error::Error, "the database does not answer");
            Err(Problem::new(Code::Overloaded, "The database does not answer.").retry_after(5))
        }
    }
}

/// Who administers this installation, and whether it asks for new releases.
#[utoipa::path(get, path = "/api/system/settings", tag = "system", responses((status = 200, body = SettingsView)))]
pub async fn get_settings(
    State(state): State<AppState>,
    _viewer: CurrentUser,
) -> Result<Json<SettingsView>, Problem> {
    Ok(Json(store::settings(&mut state.db.read().await?).await?.into()))
}

/// Claims the administration while nobody has it, by one's own e-mail; hands it on, by its holder; sets the rest.
///
/// 403 `DEPLOYMENT_ADMIN_TAKEN`, `FORBIDDEN`; 422 `CLAIM_FOR_SELF_ONLY`, `USER_NOT_REGISTERED`.
#[utoipa::path(patch, path = "/api/system/settings", tag = "system",
    request_body(content = SettingsPatch, content_type = "application/merge-patch+json"),
    responses((status = 200, body = SettingsView)))]
pub async fn patch_settings(
    State(state): State<AppState>,
    CurrentUser(user): CurrentUser,
    body: JsonBody,
) -> Result<Json<SettingsView>, Problem> {
    let (patch, unreadable) = match body.read() {
        Ok(patch) => (Some(patch), None),
        Err(problem) => (None, Some(problem)),
    };
    // Who may not is told that first.
    let set = change_settings(&state, user.id, patch).await?;
    unreadable.map_or_else(|| Ok(Json(set.into())), Err)
}

impl From<AdminError> for Problem {
    fn from(error: AdminError) -> Self {
        match error {
            AdminError::NotAdmin => Self::new(Code::Forbidden, "Only the Deployment Admin may do this."),
            AdminError::Db(error) => error.into(),
        }
    }
}

impl From<SettingsError> for Problem {
    fn from(error: SettingsError) -> Self {
        match error {
            SettingsError::Taken => Self::new(Code::DeploymentAdminTaken, Code::DeploymentAdminTaken.title()),
            SettingsError::NotAdmin => AdminError::NotAdmin.into(),
            SettingsError::Invalid(faults) => Self::faults(faults),
            SettingsError::ClaimForSelfOnly => {
                Self::new(Code::ClaimForSelfOnly, "Become the Deployment Admin with your own e-mail.")
            }
            SettingsError::NotRegistered => Self::new(
                Code::UserNotRegistered,
                "Nobody has an account with this e-mail: who is to take over registers first.",
            ),
            SettingsError::Db(error) => error.into(),
        }
    }
}
