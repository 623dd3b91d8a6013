//! Whether this server is alive and ready to be sent requests, `/api/system/settings`, and `/api/version`.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use serde::Serialize;
use utoipa::ToSchema;

use super::admin::AdminError;
use super::change_settings::{SettingsError, change_settings};
use super::{SystemSettings, store};
use crate::Installation;
use crate::accounts::SignedIn;
use crate::releases::Source;
use crate::releases::version::{self, Known};
use platform::http::body::JsonBody;
use platform::http::problem::{Code, Problem};

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

/// The version that runs, and the latest release.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = Version)]
pub struct VersionView {
    #[schema(example = "1.9.0")]
    current_version: String,
    /// The current one where nothing is known.
    #[schema(example = "1.10.0")]
    latest_version: String,
    /// By semantic versioning.
    update_available: bool,
    /// Its release notes.
    #[schema(format = "uri")]
    release_url: Option<String>,
    /// Why nothing is known, or nothing new.
    check_error: Option<String>,
}

impl From<Known> for VersionView {
    fn from(known: Known) -> Self {
        Self {
            current_version: known.current.to_string(),
            latest_version: known.latest.to_string(),
            update_available: known.update_available,
            release_url: known.release_url,
            check_error: known.check_error,
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
pub async fn readyz(State(installation): State<Arc<Installation>>) -> Result<StatusCode, Problem> {
    match installation.db.ping().await {
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
    State(installation): State<Arc<Installation>>,
    _viewer: SignedIn,
) -> Result<Json<SettingsView>, Problem> {
    Ok(Json(store::settings(&mut installation.db.read().await?, &*installation.accounts).await?.into()))
}

/// Claims the administration while nobody has it, by one's own e-mail; hands it on, by its holder; sets the rest.
///
/// 403 `DEPLOYMENT_ADMIN_TAKEN`, `FORBIDDEN`; 422 `CLAIM_FOR_SELF_ONLY`, `USER_NOT_REGISTERED`.
#[utoipa::path(patch, path = "/api/system/settings", tag = "system",
    request_body(content = SettingsPatch, content_type = "application/merge-patch+json"),
    responses((status = 200, body = SettingsView)))]
pub async fn patch_settings(
    State(installation): State<Arc<Installation>>,
    SignedIn { user, .. }: SignedIn,
    body: JsonBody,
) -> Result<Json<SettingsView>, Problem> {
    let (patch, unreadable) = match body.read() {
        Ok(patch) => (Some(patch), None),
        Err(problem) => (None, Some(problem)),
    };
    // Who may not is told that first.
    let set = change_settings(&installation, user, patch).await?;
    unreadable.map_or_else(|| Ok(Json(set.into())), Err)
}

/// Which version this is, and which there is. It is known from a question that was asked earlier, in the background.
#[utoipa::path(get, path = "/api/version", tag = "system", responses((status = 200, body = VersionView)))]
pub async fn get_version(
    State(installation): State<Arc<Installation>>,
) -> Result<Json<VersionView>, Problem> {
    let known =
        version::known(&mut installation.db.read().await?, &Source::of(&installation.settings)).await?;
    Ok(Json(known.into()))
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
            SettingsError::Invalid(faults) => Self::fields(faults),
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
