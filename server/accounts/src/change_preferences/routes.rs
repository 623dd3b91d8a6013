//! `/api/user/preferences`.

use std::collections::BTreeMap;
use std::sync::Arc;

use axum::extract::State;
use serde::Serialize;
use utoipa::ToSchema;

use super::{PreferencesBody, change_preferences};
use crate::context::Accounts;
use crate::extract::CurrentUser;
use crate::preferences::kind::{KindSet, NotificationKind};
use crate::preferences::{Preferences, Theme, ZoneName};
use platform::http::body::JsonBody;
use platform::http::json::Json;
use platform::http::problem::Problem;
use platform::shape::MergePatch;

type PreferencesPatch = MergePatch<PreferencesBody>;

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = Preferences)]
pub struct PreferencesDocument {
    /// An IANA name. Null: that of the browser.
    time_zone: Option<String>,
    theme: Theme,
    /// Whether the user gets notifications of each kind.
    notify: BTreeMap<&'static str, bool>,
    /// Whether they are mailed, too.
    mail: BTreeMap<&'static str, bool>,
}

impl From<Preferences> for PreferencesDocument {
    fn from(preferences: Preferences) -> Self {
        let flags =
            |set: KindSet| NotificationKind::ALL.map(|kind| (kind.as_str(), set.contains(kind))).into();
        Self {
            time_zone: preferences.time_zone.as_ref().map(ZoneName::to_string),
            theme: preferences.theme,
            notify: flags(preferences.notify),
            mail: flags(preferences.mail),
        }
    }
}

/// The preferences of the signed-in user.
#[utoipa::path(get, path = "/api/user/preferences", tag = "notifications",
    responses((status = 200, body = PreferencesDocument)))]
pub async fn get_preferences(CurrentUser(user): CurrentUser) -> Json<PreferencesDocument> {
    Json(user.preferences.clone().into())
}

/// Changes preferences by a JSON merge patch. A kind that it does not name stays as it is.
#[utoipa::path(patch, path = "/api/user/preferences", tag = "notifications",
    request_body(content = PreferencesPatch, content_type = "application/merge-patch+json"),
    responses((status = 200, body = PreferencesDocument)))]
pub async fn patch_preferences(
    State(accounts): State<Arc<Accounts>>,
    CurrentUser(user): CurrentUser,
    body: JsonBody,
) -> Result<Json<PreferencesDocument>, Problem> {
    Ok(Json(change_preferences(&accounts, user.id, body).await?.into()))
}
