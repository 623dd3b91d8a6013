//! `/api/system/settings`

use std::sync::Arc;

use axum::extract::State;
use serde::Serialize;
use utoipa::ToSchema;

use super::body::SettingsPatch;
use super::change_settings::change_settings;
use super::{SystemSettings, store};
use crate::Installation;
use accounts::extract::CurrentUser;
use platform::http::body::JsonBody;
use platform::http::json::Json;
use platform::http::problem::Problem;
use platform::shape::New;

type Patch = New<SettingsPatch>;

/// The installation's own settings.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = SystemSettings)]
pub struct SettingsView {
    /// E-mail with the capitals of the account; null while there is no Deployment Admin.
    #[schema(format = Email)]
    deployment_admin_email: Option<String>,
    /// Whether the server checks for new releases in the background.
    auto_check_updates: bool,
    /// Whether the role of the Deployment Admin is for accounts with a second factor only.
    admin_second_factor: bool,
}

impl From<SystemSettings> for SettingsView {
    fn from(set: SystemSettings) -> Self {
        Self {
            deployment_admin_email: set.admin.and_then(|admin| admin.email),
            auto_check_updates: set.auto_check_updates,
            admin_second_factor: set.admin_second_factor,
        }
    }
}

/// The Deployment Admin, whether that role needs a second factor, and whether the server checks for new
/// releases.
#[utoipa::path(get, path = "/api/system/settings", tag = "system", responses((status = 200, body = SettingsView)))]
pub async fn get_settings(
    State(installation): State<Arc<Installation>>,
    _viewer: CurrentUser,
) -> Result<Json<SettingsView>, Problem> {
    Ok(Json(store::settings(&mut installation.db.read().await?).await?.into()))
}

/// Claims the administration if there is no Deployment Admin, transfers it, or changes the other settings.
///
/// 403 `DEPLOYMENT_ADMIN_TAKEN`, `FORBIDDEN`, `CLAIM_CODE_REQUIRED`; 409 `SECOND_FACTOR_NEEDED`; 422
/// `CLAIM_FOR_SELF_ONLY`, `USER_NOT_REGISTERED`.
#[utoipa::path(patch, path = "/api/system/settings", tag = "system",
    request_body(content = Patch, content_type = "application/merge-patch+json"),
    responses((status = 200, body = SettingsView)))]
pub async fn patch_settings(
    State(installation): State<Arc<Installation>>,
    CurrentUser(user): CurrentUser,
    body: JsonBody,
) -> Result<Json<SettingsView>, Problem> {
    Ok(Json(change_settings(&installation, user.id, body).await?.into()))
}
