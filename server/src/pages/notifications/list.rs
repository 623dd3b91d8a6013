//! `/notifications`: what happened to the viewer.

use std::collections::HashSet;

use app::model::{NotificationGroup, NotificationsPage};
use app::pages::notifications::{IDS, notifications_page};
use axum::response::Response;

use super::facts::entry;
use crate::pages::dashboard::own_items::OwnItems;
use crate::pages::error::Loaded;
use crate::pages::form_route::FormRequest;
use crate::pages::request::PageRequest;
use auction_house::ids::ItemId;
use auction_house::inbox::list::{LIMIT_DEFAULT, NotificationRange, list};
use auction_house::inbox::read::{ReadNotifications, mark_read};
use platform::http::problem::Problem;

const PAGE: &str = "/notifications";
/// Notifications of one page, at most.
const SHOWN_MAX: usize = 50;

/// `GET /notifications`
pub async fn show(request: PageRequest) -> Response {
    let (page, cursor) = (read(&request).await, request.cursor());
    request.render(page, |page| notifications_page(page, cursor))
}

async fn read(request: &PageRequest) -> Loaded<NotificationsPage> {
    let user = request.user_id()?;
    let range = NotificationRange { limit: LIMIT_DEFAULT, before: request.page().after, only_unread: false };
    let mut own = OwnItems::of(request).await?;
    let found = list(&mut own.conn, user, range).await?;
    let ids: HashSet<ItemId> = found.notifications.iter().filter_map(|one| one.item_id).collect();
    let items = own.items(ids).await?;
    let mut groups: Vec<(Option<ItemId>, NotificationGroup)> = Vec::new();
    for notification in found.notifications {
        let of = notification.item_id;
        let entry = entry(notification);
        match groups.iter_mut().find(|(id, _)| of.is_some() && *id == of) {
            Some((_, group)) => group.entries.push(entry),
            None => {
                let item = of.and_then(|id| items.get(&id).cloned());
                groups.push((of, NotificationGroup { entries: vec![entry], item }));
            }
        }
    }
    Ok(NotificationsPage {
        groups: groups.into_iter().map(|(_, group)| group).collect(),
        next_cursor: found.next_before.map(|id| id.to_string()),
        unread: u32::try_from(found.unread).unwrap_or(0),
    })
}

/// `POST /notifications/read`: those whose ids the form has, or all.
pub async fn read_some(request: FormRequest<()>) -> Result<String, Problem> {
    let FormRequest { state, user, form, .. } = request;
    let which = match form.get(IDS) {
        Some(ids) => {
            let ids = ids.split(',').filter_map(|id| id.parse().ok());
            ReadNotifications::Some(ids.take(SHOWN_MAX).collect())
        }
        None => ReadNotifications::All,
    };
    mark_read(&state.context, user, &which).await?;
    Ok(PAGE.to_owned())
}
