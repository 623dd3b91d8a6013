//! `/notifications`: what happened to the viewer.

use app::model::NotificationsPage;
use app::pages::notifications::notifications_page;
use axum::response::Response;
use serde::Deserialize;

use super::facts::entry;
use crate::pages::error::Loaded;
use crate::pages::form_route::FormRequest;
use crate::pages::request::PageRequest;
use auction_house::ids::NotificationId;
use auction_house::inbox::list::{LIMIT_DEFAULT, NotificationRange, list};
use auction_house::inbox::read::{ReadNotifications, mark_read};
use platform::http::problem::Problem;

const PAGE: &str = "/notifications";

/// `/notifications/{notification_id}/…`
#[derive(Deserialize)]
pub struct NotificationPath {
    notification_id: NotificationId,
}

/// `GET /notifications`
pub async fn show(request: PageRequest) -> Response {
    let (page, cursor) = (read(&request).await, request.cursor());
    request.render(page, |page| notifications_page(page, cursor))
}

async fn read(request: &PageRequest) -> Loaded<NotificationsPage> {
    let user = request.user_id()?;
    let range = NotificationRange { limit: LIMIT_DEFAULT, before: request.page().after, only_unread: false };
    let found = list(&mut request.db().await?, user, range).await?;
    Ok(NotificationsPage {
        entries: found.notifications.into_iter().map(entry).collect(),
        next_cursor: found.next_before.map(|id| id.to_string()),
        unread: u32::try_from(found.unread).unwrap_or(0),
    })
}

/// `POST /notifications/read`
pub async fn read_all(request: FormRequest<()>) -> Result<String, Problem> {
    let FormRequest { state, user, .. } = request;
    mark_read(&state.context, user, &ReadNotifications::All).await?;
    Ok(PAGE.to_owned())
}

/// `POST /notifications/{notification_id}/read`
pub async fn read_one(request: FormRequest<NotificationPath>) -> Result<String, Problem> {
    let FormRequest { state, user, path, .. } = request;
    mark_read(&state.context, user, &ReadNotifications::Some(vec![path.notification_id])).await?;
    Ok(PAGE.to_owned())
}
