//! `/admin/users`: the accounts, for the Deployment Admin.

use leptos::prelude::*;

use crate::components::error_summary::ErrorSummary;
use crate::components::moment::{date_and_time, stamp};
use crate::components::name::Name;
use crate::components::page_title::PageTitle;
use crate::html::{Html, html};
use crate::model::{NewResetLink, Refused, UserEntry, UsersPage};
use crate::request::query_part;

const TITLE: &str = "Users";
/// Name of the buttons, without which a request changes nothing.
pub const SURE: &str = "sure";

pub fn users_page(page: UsersPage) -> Html {
    let UsersPage { users, wanted, has_more } = page;
    let none = users.is_empty().then(|| view! { <p>"No account has this in its name or e-mail."</p> });
    let rows = users.into_iter().map(|user| view! { <Row user /> }).collect_view();
    html(view! {
        <PageTitle text=TITLE />
        <header class="page-head">
            <div>
                <p class="eyebrow">
                    <a href="/admin">"Deployment Administration"</a>
                </p>
                <h1>{TITLE}</h1>
            </div>
        </header>
        <div class="admin">
            <ErrorSummary />
            <Done />
            <form class="catalogue-controls" role="search" aria-label="Find users" method="get">
                <label class="catalogue-search">
                    <span>"Name or e-mail"</span>
                    <input type="search" name="q" value=wanted maxlength="200" placeholder="Name or e-mail" />
                </label>
                <button class="button" type="submit">"Find"</button>
            </form>
            {none}
            <ul class="sessions" role="list">{rows}</ul>
            {has_more.then(|| view! { <p class="hint">"These are the first ones. Search for the others."</p> })}
        </div>
    })
}

/// The success message of the last action.
#[component]
fn Done() -> impl IntoView {
    if use_context::<Refused>().is_some() {
        return None;
    }
    let words = match query_part("done")?.as_str() {
        "disabled" => "The account is disabled. Its user is signed out everywhere and can’t sign in.",
        "enabled" => "The account is enabled again.",
        "signed-out" => "The user is signed out everywhere.",
        _ => return None,
    };
    Some(view! {
        <p class="done" role="status">
            {words}
        </p>
    })
}

#[component]
fn Row(user: UserEntry) -> impl IntoView {
    let UserEntry { id, name, email, registered_at, last_sign_in_at, is_disabled } = user;
    let mark = is_disabled.then(|| view! { <strong class="badge closed">"Disabled"</strong> });
    let last = last_sign_in_at.map(|at| {
        view! {
            <span>
                "Last signed in " <time datetime=stamp(at)>{date_and_time(at)}</time>
            </span>
        }
    });
    let button = |label: &'static str, action: &'static str| {
        let described = format!("{label}: {name}, {email}");
        view! {
            <button class="button quiet" type="submit" name=SURE value="true" formaction=format!("/admin/users/{id}/{action}") aria-label=described>
                {label}
            </button>
        }
    };
    let buttons = if is_disabled {
        vec![button("Enable", "enable")]
    } else {
        vec![
            button("New password link", "reset-link"),
            button("Sign out everywhere", "end-sessions"),
            button("Disable", "disable"),
        ]
    };
    view! {
        <li>
            <div>
                <p class="session-client"><Name text=name.clone() /> " " {mark}</p>
                <p class="facts">
                    <span>{email.clone()}</span>
                    <span>
                        "Registered " <time datetime=stamp(registered_at)>{date_and_time(registered_at)}</time>
                    </span>
                    {last}
                </p>
            </div>
            <form class="actions" method="post">
                {buttons}
            </form>
        </li>
    }
}

/// The page with a new link, which is shown once.
pub fn reset_link_page(link: NewResetLink) -> Html {
    let NewResetLink { name, url, expires_at } = link;
    html(view! {
        <PageTitle text="New password" />
        <section class="form-page">
            <p class="eyebrow">
                <a href="/admin/users">{TITLE}</a>
            </p>
            <h1>"A link for " <Name text=name /></h1>
            <p class="lead">"Pass it on to nobody else: whoever opens it sets a new password. It works once, and is shown once."</p>
            <div class="field">
                <label for="reset-link">"Link"</label>
                <input id="reset-link" type="text" value=url readonly />
            </div>
            <p class="hint">
                "It works until " <time datetime=stamp(expires_at)>{date_and_time(expires_at)}</time> "."
            </p>
        </section>
    })
}
