//! `/notifications`: what happened to the viewer.

pub mod no_invitations;
mod stop_mails;
pub mod unsubscribe;

use leptos::either::Either;
use leptos::prelude::*;

use crate::components::moment::{date_and_time, stamp};
use crate::components::page_title::PageTitle;
use crate::components::pagination::Pagination;
use crate::components::thumbnail::Thumbnail;
use crate::html::{Html, html};
use crate::model::{NotificationEntry, NotificationGroup, NotificationsPage};

const TITLE: &str = "Notifications";
const PATH: &str = "/notifications";
/// Field of the form that marks some as read: their ids, separated by commas.
pub const IDS: &str = "ids";

pub fn notifications_page(page: NotificationsPage, cursor: Option<String>) -> Html {
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
