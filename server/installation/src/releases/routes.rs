//! `/api/version`

use std::sync::Arc;

use axum::extract::State;
use platform::http::json::Json;
use platform::http::problem::Problem;
use serde::Serialize;
use utoipa::ToSchema;

use super::Source;
use super::status::{ReleaseStatus, release_status};
use crate::Installation;

/// The version that runs, and the latest release.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = Version)]
pub struct VersionView {
    #[schema(example = "1.9.0")]
    current_version: String,
    /// The current version if the latest release is not known.
    #[schema(example = "1.10.0")]
    latest_version: String,
    /// By semantic versioning.
    update_available: bool,
    /// Its release notes.
    #[schema(format = "uri")]
    release_url: Option<String>,
    /// Why the latest release is not known, or not up to date.
    check_error: Option<String>,
}

impl From<ReleaseStatus> for VersionView {
    fn from(status: ReleaseStatus) -> Self {
        Self {
            current_version: status.current.to_string(),
            latest_version: status.latest.to_string(),
            update_available: status.update_available,
            release_url: status.release_url,
            check_error: status.check_error,
        }
    }
}

/// The current version and the latest release, as of the last background check.
#[utoipa::path(get, path = "/api/version", tag = "system", responses((status = 200, body = VersionView)))]
pub async fn get_version(
    State(installation): State<Arc<Installation>>,
) -> Result<Json<VersionView>, Problem> {
    let source = Source::of(&installation.settings);
    Ok(Json(release_status(&mut installation.db.read().await?, &source).await?.into()))
}
