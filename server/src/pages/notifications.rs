//! The buttons of the page of notifications.

use axum::http::Uri;
use serde::Deserialize;

use super::posted::Posted;
use auction_house::ids::NotificationId;
use auction_house::inbox::read::{ReadNotifications, mark_read};
use platform::http::problem::Problem;

const PAGE: &str = "/notifications";

/// `/notifications/{notification_id}/…`
#[derive(Deserialize)]
pub struct NotificationPath {
    notification_id: NotificationId,
}

/// The page of every button.
pub fn page(_: &Uri) -> Uri {
    Uri::from_static(PAGE)
}

/// `POST /notifications/read`
pub async fn read_all(posted: Posted<()>) -> Result<String, Problem> {
    let Posted { state, user, .. } = posted;
    mark_read(&state.context, user, &ReadNotifications::All).await?;
    Ok(PAGE.to_owned())
}

/// `POST /notifications/{notification_id}/read`
pub async fn read_one(posted: Posted<NotificationPath>) -> Result<String, Problem> {
    let Posted { state, user, path, .. } = posted;
    mark_read(&state.context, user, &ReadNotifications::Some(vec![path.notification_id])).await?;
    Ok(PAGE.to_owned())
}
