//! `/api/user/notifications` (SPEC, section 13).

use axum::extract::{RawQuery, State};
use axum::http::StatusCode;
use serde::Serialize;
use utoipa::ToSchema;

use super::document::NotificationDocument;
use super::list::{LIMIT_DEFAULT, LIMIT_MAX, NotificationRange, list};
use super::read::{ReadNotifications, mark_read};
use crate::context::Context;
use crate::ids::NotificationId;
use accounts::extract::CurrentUser;
use platform::fields::{FieldError, Fields};
use platform::http::body::JsonBody;
use platform::http::json::Json;
use platform::http::paging::parameters;
use platform::http::problem::Problem;

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = Notifications)]
pub struct NotificationsDocument {
    notifications: Vec<NotificationDocument>,
    /// At most 100.
    unread_count: i64,
    /// `before` of the next page.
    #[schema(format = "uuid")]
    next_before: Option<String>,
}

/// One of the two.
#[derive(ToSchema)]
#[schema(as = ReadBody)]
#[expect(dead_code, reason = "describes the body, which `read_body` reads")]
pub struct MarkReadBody {
    /// At most 100 notifications.
    #[schema(max_items = 100)]
    ids: Option<Vec<String>>,
    /// `true`: all of them.
    all: Option<bool>,
}

/// The notifications of the signed-in user, newest first.
#[utoipa::path(get, path = "/api/user/notifications", tag = "notifications", params(
        ("unread" = Option<bool>, Query, description = "`true`: unread ones only"),
        ("before" = Option<String>, Query, description = "The `nextBefore` of an earlier page"),
        ("limit" = Option<i64>, Query, minimum = 1, maximum = 100)),
    responses((status = 200, body = NotificationsDocument)))]
pub async fn get_notifications(
    State(context): State<Context>,
    CurrentUser(user): CurrentUser,
    query: RawQuery,
) -> Result<Json<NotificationsDocument>, Problem> {
    let range = read_range(&query)?;
    let found = list(&mut context.db.read().await?, user.id, range).await?;
    Ok(Json(NotificationsDocument {
        notifications: found.notifications.into_iter().map(Into::into).collect(),
        unread_count: found.unread,
        next_before: found.next_before.map(|id| id.to_string()),
    }))
}

/// Marks notifications as read.
#[utoipa::path(post, path = "/api/user/notifications/read", tag = "notifications", request_body = MarkReadBody,
    responses((status = 204)))]
pub async fn post_read(
    State(context): State<Context>,
    CurrentUser(user): CurrentUser,
    body: JsonBody,
) -> Result<StatusCode, Problem> {
    let which = read_body(&body)?;
    mark_read(&context, user.id, &which).await?;
    Ok(StatusCode::NO_CONTENT)
}

fn read_body(body: &JsonBody) -> Result<ReadNotifications, Problem> {
    let mut fields = Fields::of(body.read()?);
    let ids: Option<Vec<NotificationId>> = fields.optional("ids");
    let all: bool = fields.or("all", false);
    let is_one = ids.is_some() != all || !fields.is_clean_at("ids") || !fields.is_clean_at("all");
    fields.check(is_one, "ids", "must be given, or `all` must be true, and not both");
    let is_short = ids.as_ref().is_none_or(|ids| i64::try_from(ids.len()).is_ok_and(|len| len <= LIMIT_MAX));
    fields.check(is_short, "ids", "must have at most 100 entries");
    fields.finish().map_err(Problem::fields)?;
    Ok(ids.map_or(ReadNotifications::All, ReadNotifications::Some))
}

fn read_range(query: &RawQuery) -> Result<NotificationRange, Problem> {
    let query = parameters(query);
    let given = |name: &str| query.iter().find(|(key, _)| key == name).map(|(_, value)| value.as_str());
    let mut range = NotificationRange { limit: LIMIT_DEFAULT, before: None, only_unread: false };
    let mut errors = Vec::new();
    if let Some(text) = given("limit") {
        match text.parse().ok().filter(|limit| (1..=LIMIT_MAX).contains(limit)) {
            Some(limit) => range.limit = limit,
            None => errors.push(FieldError::new("limit", "must be an integer from 1 to 100")),
        }
    }
    if let Some(text) = given("before") {
        range.before = text.parse().ok();
        if range.before.is_none() {
            errors.push(FieldError::new("before", "must be the id of a notification"));
        }
    }
    match given("unread") {
        None | Some("false") => {}
        Some("true") => range.only_unread = true,
        Some(_) => errors.push(FieldError::new("unread", "must be true or false")),
    }
    if errors.is_empty() { Ok(range) } else { Err(Problem::fields(errors)) }
}
