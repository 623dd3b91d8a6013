//! `/notifications`: what happened to the viewer.

use std::collections::HashSet;

use app::components::moment::{date_and_time, stamp};
use app::components::page_title::PageTitle;
use app::components::pagination::Pagination;
use app::components::thumbnail::Thumbnail;
use app::html::{Html, html};
use auction_house::ids::ItemId;
use auction_house::inbox::list::{LIMIT_DEFAULT, NotificationRange, list};
use auction_house::inbox::read::{ReadNotifications, mark_read};
use axum::response::Response;
use leptos::either::Either;
use leptos::prelude::*;
use platform::http::problem::Problem;

use super::facts::{NotificationEntry, entry};
use crate::pages::dashboard::own_items::{OwnItemEntry, OwnItems};
use crate::pages::error::Loaded;
use crate::pages::form_route::FormRequest;
use crate::pages::request::PageRequest;

/// What happened to one item, auction or book on one page, the newest first. It is not empty.
#[derive(Debug, Clone, PartialEq, Eq)]
struct NotificationGroup {
    entries: Vec<NotificationEntry>,
    /// The item as it is now, if the viewer sees it.
    item: Option<OwnItemEntry>,
}

/// One page of the viewer's notifications.
#[derive(Debug, Clone, PartialEq, Eq)]
struct NotificationsPage {
    groups: Vec<NotificationGroup>,
    next_cursor: Option<String>,
    unread: u32,
}

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

const TITLE: &str = "Notifications";
const PATH: &str = "/notifications";
/// Field of the form that marks some as read: their ids, separated by commas.
pub const IDS: &str = "ids";

fn notifications_page(page: NotificationsPage, cursor: Option<String>) -> Html {
    let NotificationsPage { groups, next_cursor, unread } = page;
    let read_all = (unread > 0).then(|| {
        view! {
            <form method="post" action="/notifications/read">
                <button class="button quiet" type="submit">
                    "Mark all as read"
                </button>
            </form>
        }
    });
    let is_empty = groups.is_empty();
    let groups = groups.into_iter().map(|group| view! { <Group group /> }).collect::<Vec<_>>();
    html(view! {
        <PageTitle text=TITLE />
        <header class="page-head">
            <h1>{TITLE}</h1>
            {read_all}
        </header>
        {is_empty.then(|| view! { <p class="lead">"Nothing has happened yet."</p> })}
        <ul class="notifications" role="list">{groups}</ul>
        <p>
            <a href="/account?subject=preferences">"Choose what you are notified of"</a>
        </p>
        <Pagination path=PATH.to_owned() cursor=cursor next=next_cursor />
    })
}

/// What happened to one thing: the newest in full, the rest behind a fold.
#[component]
fn Group(group: NotificationGroup) -> impl IntoView {
    let NotificationGroup { entries, item } = group;
    let unread: Vec<_> =
        entries.iter().filter(|entry| !entry.is_read).map(|entry| entry.id.clone()).collect();
    let is_unread = !unread.is_empty();
    let mut entries = entries.into_iter();
    let newest = entries.next()?;
    let earlier: Vec<_> = entries.collect();
    let name = newest.title.clone();
    let title = match newest.link {
        Some(link) => Either::Left(view! { <a href=link>{newest.title}</a> }),
        None => Either::Right(view! { <span>{newest.title}</span> }),
    };
    let mark = is_unread.then(|| {
        view! {
            <form method="post" action="/notifications/read">
                <input type="hidden" name=IDS value=unread.join(",") />
                <button class="button quiet" type="submit" aria-label=format!("Mark as read: {name}")>
                    "Mark as read"
                </button>
            </form>
        }
    });
    let picture = item.as_ref().and_then(|item| item.item.picture.clone());
    let lot = item.as_ref().map(|item| item.item.lot_number.clone());
    let least = item.and_then(|item| item.bid).and_then(|bid| bid.least);
    let bid = least.filter(|least| least.exceeds.is_none()).map(|least| {
        let label = format!("Bid {} on {name}", least.words);
        view! {
            <a class="button primary" href=least.address aria-label=label>
                {format!("Bid {}", least.words)}
            </a>
        }
    });
    Some(view! {
        <li class=if is_unread { "notification unread" } else { "notification" }>
            <Thumbnail file=picture lot />
            <div class="notification-what">
                <p class="notification-title">
                    {is_unread.then(|| view! { <span class="visually-hidden">"Unread: "</span> })} {title}
                </p>
                <p>{newest.text}</p>
                <p class="hint">
                    <time datetime=stamp(newest.created_at)>{date_and_time(newest.created_at)}</time>
                </p>
                <Earlier entries=earlier />
            </div>
            <div class="notification-do">{bid} {mark}</div>
        </li>
    })
}

#[component]
fn Earlier(entries: Vec<NotificationEntry>) -> impl IntoView {
    let count = entries.len();
    let rows = entries.into_iter().map(|entry| {
        view! {
            <li>
                {entry.text} " "
                <time class="hint" datetime=stamp(entry.created_at)>{date_and_time(entry.created_at)}</time>
            </li>
        }
    });
    (count > 0).then(|| {
        view! {
            <details class="notification-earlier">
                <summary>{format!("{count} earlier")}</summary>
                <ul>{rows.collect_view()}</ul>
            </details>
        }
    })
}
