//! `/notifications`: what happened to the viewer.

pub mod no_invitations;
mod stop_mails;
pub mod unsubscribe;

use leptos::prelude::*;

use crate::components::moment::{date_and_time, stamp};
use crate::components::page_title::PageTitle;
use crate::components::pagination::Pagination;
use crate::html::{Html, html};
use crate::model::{NotificationEntry, NotificationsPage};

const TITLE: &str = "Notifications";
const PATH: &str = "/notifications";

pub fn notifications_page(page: NotificationsPage, cursor: Option<String>) -> Html {
    let NotificationsPage { entries, next_cursor, unread } = page;
    let read_all = (unread > 0).then(|| {
        view! {
            <form method="post" action="/notifications/read">
                <button class="button quiet" type="submit">
                    "Mark all as read"
                </button>
            </form>
        }
    });
    let is_empty = entries.is_empty();
    let entries = entries.into_iter().map(|entry| view! { <Entry entry /> }).collect::<Vec<_>>();
    html(view! {
        <PageTitle text=TITLE />
        <header class="page-head">
            <h1>{TITLE}</h1>
            {read_all}
        </header>
        {is_empty.then(|| view! { <p class="lead">"Nothing has happened yet."</p> })}
        <ul class="notifications">{entries}</ul>
        <p>
            <a href="/account#preferences">"Choose what you are notified of"</a>
        </p>
        <Pagination path=PATH.to_owned() cursor=cursor next=next_cursor />
    })
}

#[component]
fn Entry(entry: NotificationEntry) -> impl IntoView {
    let NotificationEntry { id, title, text, link, created_at, is_read } = entry;
    let name = title.clone();
    let title = match link {
        Some(link) => view! { <a href=link>{title}</a> }.into_any(),
        None => view! { <span>{title}</span> }.into_any(),
    };
    let mark = (!is_read).then(|| {
        view! {
            <form method="post" action=format!("{PATH}/{id}/read")>
                <button class="button quiet" type="submit" aria-label=format!("Mark as read: {name}")>
                    "Mark as read"
                </button>
            </form>
        }
    });
    view! {
        <li class=if is_read { "notification" } else { "notification unread" }>
            <div>
                <p class="notification-title">
                    {(!is_read).then(|| view! { <span class="visually-hidden">"Unread: "</span> })} {title}
                </p>
                <p>{text}</p>
                <p class="hint">
                    <time datetime=stamp(created_at)>{date_and_time(created_at)}</time>
                </p>
            </div>
            {mark}
        </li>
    }
}
