//! `/admin/users`: accounts, which the Deployment Admin disables, signs out, and helps to a new password.

use std::sync::Arc;

use accounts::administration;
use accounts::administration::AdminError;
use accounts::extract::MaybeUser;
use accounts::ids::UserId;
use accounts::manage::SystemUser;
use accounts::manage::disable::set_disabled;
use accounts::manage::end_sessions::end_sessions;
use accounts::manage::list::list_users;
use accounts::manage::reset_link::create_reset_link;
use accounts::manage::store as system_users;
use accounts::path::UserPath;
use accounts::session::Visitor;
use app::components::error_page::LoadError;
use app::components::error_summary::ErrorSummary;
use app::components::moment::{date_and_time, stamp};
use app::components::name::Name;
use app::components::page_title::PageTitle;
use app::html::{Html, html};
use app::model::Refused;
use app::request::query_part;
use axum::extract::State;
use axum::http::Uri;
use axum::response::Response;
use leptos::prelude::*;
use platform::http::path::At;
use platform::http::problem::Problem;
use platform::time::Moment;

use crate::codes;
use crate::pages::error::{Loaded, PageError};
use crate::pages::form::Form;
use crate::pages::form_route::{FormRequest, SessionFormRequest, up};
use crate::pages::redraw::redraw;
use crate::pages::redraw::show as show_page;
use crate::pages::request::PageRequest;
use crate::state::AppState;

/// An account as the Deployment Admin sees it.
#[derive(Debug, Clone, PartialEq, Eq)]
struct UserEntry {
    id: String,
    name: String,
    /// A managed user has none.
    email: Option<String>,
    registered_at: i64,
    last_sign_in_at: Option<i64>,
    is_disabled: bool,
    /// This is the account of the Deployment Admin.
    is_admin: bool,
}

/// The first accounts that contain what was searched for.
#[derive(Debug, Clone, PartialEq, Eq)]
struct UsersPage {
    users: Vec<UserEntry>,
    wanted: String,
    /// There may be more accounts.
    has_more: bool,
}

/// A link with which a user sets a new password.
#[derive(Debug, Clone, PartialEq, Eq)]
struct NewResetLink {
    name: String,
    url: String,
    expires_at: i64,
}

const PAGE: &str = "/admin/users";
/// Accounts of the page, at most.
const SHOWN_MAX: usize = 50;

/// `GET /admin/users`
pub async fn show(request: PageRequest) -> Response {
    let page = read(&request).await;
    request.render(page, users_page)
}

async fn read(request: &PageRequest) -> Loaded<UsersPage> {
    let admin = request.user_id()?;
    match administration::require(&request.state.context.db, admin).await {
        Ok(()) => {}
        Err(AdminError::NotAdmin) => return Err(PageError(LoadError::Forbidden)),
        Err(AdminError::Db(error)) => return Err(error.into()),
    }
    let wanted = request.query("q").map(str::trim).filter(|text| !text.is_empty());
    let mut found = list_users(&mut request.db().await?, wanted, None, SHOWN_MAX + 1).await?;
    let has_more = found.len() > SHOWN_MAX;
    found.truncate(SHOWN_MAX);
    let users = found.into_iter().map(|found| entry(found, admin)).collect();
    Ok(UsersPage { users, wanted: wanted.unwrap_or_default().to_owned(), has_more })
}

fn entry(found: SystemUser, admin: UserId) -> UserEntry {
    let SystemUser { user, last_sign_in_at, is_disabled } = found;
    UserEntry {
        is_admin: user.id == admin,
        id: user.id.to_string(),
        name: user.name,
        email: user.email,
        registered_at: user.created_at.millis(),
        last_sign_in_at: last_sign_in_at.map(Moment::millis),
        is_disabled,
    }
}

/// `POST /admin/users/{user_id}/disable`, a button.
pub async fn disable(request: FormRequest<UserPath>) -> Result<String, Problem> {
    change(request, true).await
}

/// `POST /admin/users/{user_id}/enable`, a button.
pub async fn enable(request: FormRequest<UserPath>) -> Result<String, Problem> {
    change(request, false).await
}

async fn change(request: FormRequest<UserPath>, is_disabled: bool) -> Result<String, Problem> {
    let FormRequest { state, user, path: UserPath { user_id }, form } = request;
    administration::require(&state.context.db, user).await?;
    if form.get(SURE).is_none() {
        return Ok(PAGE.to_owned());
    }
    set_disabled(&state.accounts, Some(user), user_id, is_disabled).await?;
    Ok(format!("{PAGE}?done={}", if is_disabled { "disabled" } else { "enabled" }))
}

/// `POST /admin/users/{user_id}/end-sessions`, a button.
pub async fn sign_out(request: FormRequest<UserPath>) -> Result<String, Problem> {
    let FormRequest { state, user, path: UserPath { user_id }, form } = request;
    administration::require(&state.context.db, user).await?;
    if form.get(SURE).is_none() {
        return Ok(PAGE.to_owned());
    }
    end_sessions(&state.accounts, Some(user), user_id).await?;
    Ok(format!("{PAGE}?done=signed-out"))
}

/// `POST /admin/users/{user_id}/reset-link`, a button.
pub async fn post_reset_link(
    State(state): State<AppState>,
    MaybeUser(user): MaybeUser,
    visitor: Visitor,
    path: Result<At<UserPath>, Problem>,
    uri: Uri,
    form: Form,
) -> Response {
    let form = Arc::new(form);
    let made = async {
        let by = SessionFormRequest::of(&state, user.as_deref(), visitor, path, &form)?;
        let FormRequest { user, path: UserPath { user_id }, .. } = by.request;
        administration::require(&state.context.db, user).await?;
        let link = create_reset_link(&state.accounts, Some(user), (user_id, None)).await?;
        let found = system_users::by_id(&mut state.context.db.read().await?, user_id).await?;
        let name = found.ok_or_else(|| Problem::plain(codes::NOT_FOUND))?.user.name;
        Ok::<_, Problem>((name, link))
    };
    match made.await {
        Ok((name, link)) => {
            let (path, expires_at) = (link.path(), link.expires_at.millis());
            // No redirect: the link is stored nowhere.
            let show_link = async move |request: PageRequest| {
                let url = format!("{}{path}", request.site());
                request.render(Ok(NewResetLink { name: name.clone(), url, expires_at }), reset_link_page)
            };
            show_page(&state, &form, show_link, up(&uri, 2), None).await
        }
        Err(problem) => redraw(&state, &form, show, up(&uri, 2), problem).await,
    }
}

const TITLE: &str = "Users";
/// Name of the buttons, without which a request changes nothing.
const SURE: &str = "sure";

fn users_page(page: UsersPage) -> Html {
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
    let UserEntry { id, name, email, registered_at, last_sign_in_at, is_disabled, is_admin } = user;
    let mark = is_disabled.then(|| view! { <strong class="badge closed">"Disabled"</strong> });
    let last = last_sign_in_at.map(|at| {
        view! {
            <span>
                "Last signed in " <time datetime=stamp(at)>{date_and_time(at)}</time>
            </span>
        }
    });
    let has_email = email.is_some();
    let email = email.unwrap_or_else(|| "Signs in with a number".to_owned());
    let button = |label: &'static str, action: &'static str| {
        let described = format!("{label}: {name}, {email}");
        view! {
            <button class="button quiet" type="submit" name=SURE value="true" formaction=format!("/admin/users/{id}/{action}") aria-label=described>
                {label}
            </button>
        }
    };
    // Only what is not refused: a keeper gives a managed user a new PIN, and the role is handed on first.
    let buttons = if is_disabled {
        vec![button("Enable", "enable")]
    } else {
        let link = has_email.then(|| button("New password link", "reset-link"));
        let disable = (!is_admin).then(|| button("Disable", "disable"));
        [link, Some(button("Sign out everywhere", "end-sessions")), disable].into_iter().flatten().collect()
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
fn reset_link_page(link: NewResetLink) -> Html {
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
