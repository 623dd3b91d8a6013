//! `/api/system/settings`

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use serde::Serialize;
use utoipa::ToSchema;

use super::admin::AdminError;
use super::change_settings::{SettingsError, change_settings};
use super::{SystemSettings, store};
use crate::Installation;
use crate::accounts::SignedIn;
use platform::http::body::JsonBody;
use platform::http::problem::{Code, Problem};

/// The installation's own settings.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = SystemSettings)]
pub struct SettingsView {
    /// As stored in the account; null while there is no Deployment Admin.
    #[schema(format = Email)]
    deployment_admin_email: Option<String>,
    /// Whether the server checks for new releases in the background.
    auto_check_updates: bool,
}

/// Absent members are unchanged, and null is refused: the administration is transferred, never dropped.
#[derive(ToSchema)]
#[schema(as = SystemSettingsPatch, rename_all = "camelCase")]
pub struct SettingsPatch {
    /// Without a Deployment Admin, the caller's own e-mail. From the Deployment Admin, that of a registered user.
    #[schema(format = Email, required = false)]
    pub deployment_admin_email: String,
    /// From the Deployment Admin only.
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

/// The Deployment Admin, and whether the server checks for new releases.
#[utoipa::path(get, path = "/api/system/settings", tag = "system", responses((status = 200, body = SettingsView)))]
pub async fn get_settings(
    State(installation): State<Arc<Installation>>,
    _viewer: SignedIn,
) -> Result<Json<SettingsView>, Problem> {
    Ok(Json(store::settings(&mut installation.db.read().await?, &*installation.accounts).await?.into()))
}

/// Claims the administration if there is no Deployment Admin, transfers it, or changes the other settings.
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
    // A caller without permission gets 403 even if the body can't be read.
    let set = change_settings(&installation, user, patch).await?;
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
            SettingsError::Invalid(errors) => Self::fields(errors),
            SettingsError::ClaimForSelfOnly => {
                Self::new(Code::ClaimForSelfOnly, "Become the Deployment Admin with your own e-mail.")
            }
            SettingsError::NotRegistered => Self::new(
                Code::UserNotRegistered,
                "Nobody has an account with this e-mail, or it is disabled. The new Deployment Admin has to register first.",
            ),
            SettingsError::Db(error) => error.into(),
        }
    }
}
