//! `/api/user/preferences`.

use std::sync::Arc;

use axum::extract::State;

use super::change_preferences;
use crate::context::Accounts;
use crate::extract::CurrentUser;
use crate::preferences::Preferences;
use platform::http::body::JsonBody;
use platform::http::json::Json;
use platform::http::problem::Problem;
use platform::shape::MergePatch;

type PreferencesPatch = MergePatch<Preferences>;

/// The preferences of the signed-in user.
#[utoipa::path(get, path = "/api/user/preferences", tag = "notifications",
    responses((status = 200, body = Preferences)))]
pub async fn get_preferences(CurrentUser(user): CurrentUser) -> Json<Preferences> {
    Json(user.preferences.clone())
}

/// Changes preferences by a JSON merge patch. A kind that it does not name stays as it is.
#[utoipa::path(patch, path = "/api/user/preferences", tag = "notifications",
    request_body(content = PreferencesPatch, content_type = "application/merge-patch+json"),
    responses((status = 200, body = Preferences)))]
pub async fn patch_preferences(
    State(accounts): State<Arc<Accounts>>,
    CurrentUser(user): CurrentUser,
    body: JsonBody,
) -> Result<Json<Preferences>, Problem> {
    Ok(Json(change_preferences(&accounts, user.id, body).await?))
}
