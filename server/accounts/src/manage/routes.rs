//! `/api/system/users…`: the Deployment Admin manages accounts.

use std::sync::Arc;

use axum::extract::{RawQuery, State};
use axum::http::HeaderMap;
use serde::Serialize;
use utoipa::ToSchema;

use super::SystemUser;
use super::disable::set_disabled;
use super::list::list_users;
use super::reset_link::create_reset_link;
use super::store;
use crate::administration;
use crate::context::Accounts;
use crate::extract::CurrentUser;
use crate::path::UserPath;
use platform::fields::{Fields, Object};
use platform::http::body::JsonBody;
use platform::http::json::Json;
use platform::http::paging::parameters;
use platform::http::path::At;
use platform::http::problem::Problem;

/// Accounts in one response.
const USERS_MAX: usize = 100;
/// Characters of a text to search for, at most.
const SEARCH_CHARS_MAX: usize = 200;

/// An account as the Deployment Admin sees it.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = SystemUser)]
pub struct SystemUserView {
    #[schema(format = "uuid")]
    id: String,
    /// Null for a managed user.
    email: Option<String>,
    name: String,
    #[schema(format = DateTime)]
    created_at: String,
    /// Null if the user has never signed in.
    #[schema(format = DateTime)]
    last_sign_in_at: Option<String>,
    /// The user has no sessions and can't sign in.
    disabled: bool,
}

#[derive(Serialize, ToSchema)]
#[schema(as = SystemUsers)]
pub struct SystemUsersView {
    users: Vec<SystemUserView>,
}

#[derive(Serialize, ToSchema)]
#[schema(as = SystemUserAnswer)]
pub struct SystemUserAnswer {
    user: SystemUserView,
}

/// An absent member is unchanged.
#[derive(ToSchema)]
#[schema(as = SystemUserPatch)]
pub struct SystemUserPatch {
    #[schema(required = false)]
    pub disabled: bool,
}

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = ResetLink)]
pub struct ResetLinkView {
    /// The address of the page where the user sets a new password. It works once.
    url: String,
    #[schema(format = DateTime)]
    expires_at: String,
}

impl From<SystemUser> for SystemUserView {
    fn from(found: SystemUser) -> Self {
        let SystemUser { user, last_sign_in_at, is_disabled } = found;
        Self {
            id: user.id.to_string(),
            email: user.email,
            name: user.name,
            created_at: user.created_at.to_string(),
            last_sign_in_at: last_sign_in_at.map(|at| at.to_string()),
            disabled: is_disabled,
        }
    }
}

/// The first 100 accounts in the order of their registration; with `q`, of those whose e-mail or name
/// contains it.
#[utoipa::path(get, path = "/api/system/users", tag = "system",
    params(("q" = Option<String>, Query, description = "Part of an e-mail or a name, in any case")),
    responses((status = 200, body = SystemUsersView)))]
pub async fn get_system_users(
    State(accounts): State<Arc<Accounts>>,
    CurrentUser(user): CurrentUser,
    query: RawQuery,
) -> Result<Json<SystemUsersView>, Problem> {
    administration::require(&accounts.db, user.id).await?;
    let query = parameters(&query);
    let wanted = query.iter().find(|(name, _)| name == "q").map(|(_, text)| text.trim());
    if wanted.is_some_and(|text| text.chars().count() > SEARCH_CHARS_MAX || text.contains('\0')) {
        let message = format!("must have at most {SEARCH_CHARS_MAX} characters, none of them NUL");
        return Err(Problem::field("q", message));
    }
    let users = list_users(&mut accounts.db.read().await?, wanted, None, USERS_MAX).await?;
    Ok(Json(SystemUsersView { users: users.into_iter().map(Into::into).collect() }))
}

/// Disables an account, which ends its sessions, or enables it again.
///
/// 409 `DEPLOYMENT_ADMIN`.
#[utoipa::path(patch, path = "/api/system/users/{user_id}", tag = "system", params(("user_id" = String, Path)),
    request_body(content = SystemUserPatch, content_type = "application/merge-patch+json"),
    responses((status = 200, body = SystemUserAnswer)))]
pub async fn patch_system_user(
    State(accounts): State<Arc<Accounts>>,
    CurrentUser(user): CurrentUser,
    At(UserPath { user_id }): At<UserPath>,
    body: JsonBody,
) -> Result<Json<SystemUserAnswer>, Problem> {
    administration::require(&accounts.db, user.id).await?;
    let found = store::by_id(&mut accounts.db.read().await?, user_id).await?;
    let found = found.ok_or_else(Problem::not_found)?;
    let changed = match read_patch(&body)? {
        Some(is_disabled) => set_disabled(&accounts, Some(user.id), user_id, is_disabled).await?,
        None => found,
    };
    Ok(Json(SystemUserAnswer { user: changed.into() }))
}

/// Makes a link with which a user who has lost the password sets a new one. It works once, for an hour, and
/// replaces an earlier link.
///
/// Without the setting `--public-url` its address is that of the request.
#[utoipa::path(post, path = "/api/system/users/{user_id}/reset-link", tag = "system",
    params(("user_id" = String, Path)), responses((status = 200, body = ResetLinkView)))]
pub async fn post_reset_link(
    State(accounts): State<Arc<Accounts>>,
    CurrentUser(user): CurrentUser,
    At(UserPath { user_id }): At<UserPath>,
    headers: HeaderMap,
) -> Result<Json<ResetLinkView>, Problem> {
    administration::require(&accounts.db, user.id).await?;
    let link = create_reset_link(&accounts, Some(user.id), (user_id, None)).await?;
    let url = format!("{}{}", accounts.http.site(&headers), link.path());
    Ok(Json(ResetLinkView { url, expires_at: link.expires_at.to_string() }))
}

/// The member `disabled`, if it is given. Null is refused.
fn read_patch(body: &JsonBody) -> Result<Option<bool>, Problem> {
    const DISABLED: &str = "disabled";
    let patch: Object = body.read()?;
    let is_given = patch.names(DISABLED);
    let mut fields = Fields::of(patch);
    let disabled = if is_given { fields.required(DISABLED) } else { None };
    fields.finish().map_err(Problem::fields)?;
    Ok(disabled)
}
