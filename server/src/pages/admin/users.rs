//! `/admin/users`: accounts, which the Deployment Admin disables, signs out, and helps to a new password.

use std::sync::Arc;

use accounts::administration::{self, AdminError};
use accounts::extract::MaybeUser;
use accounts::manage::SystemUser;
use accounts::manage::disable::set_disabled;
use accounts::manage::end_sessions::end_sessions;
use accounts::manage::list::list_users;
use accounts::manage::reset_link::create_reset_link;
use accounts::manage::store as system_users;
use accounts::path::UserPath;
use accounts::session::Visitor;
use app::components::error_page::LoadError;
use app::model::{NewResetLink, UserEntry, UsersPage};
use app::pages::admin::users::{SURE, reset_link_page, users_page};
use axum::extract::State;
use axum::http::Uri;
use axum::response::Response;
use platform::http::path::At;
use platform::http::problem::Problem;
use platform::time::Moment;

use crate::codes;
use crate::pages::error::{Loaded, PageError};
use crate::pages::form::Form;
use crate::pages::form_route::{FormRequest, SessionFormRequest, up};
use crate::pages::redraw::{redraw, show as show_page};
use crate::pages::request::PageRequest;
use crate::state::AppState;

const PAGE: &str = "/admin/users";
/// Accounts of the page, at most.
const SHOWN_MAX: usize = 50;

/// `GET /admin/users`
pub async fn show(request: PageRequest) -> Response {
    let page = read(&request).await;
    request.render(page, users_page)
}

async fn read(request: &PageRequest) -> Loaded<UsersPage> {
    match administration::require(&request.state.context.db, request.user_id()?).await {
        Ok(()) => {}
        Err(AdminError::NotAdmin) => return Err(PageError(LoadError::Forbidden)),
        Err(AdminError::Db(error)) => return Err(error.into()),
    }
    let wanted = request.query("q").map(str::trim).filter(|text| !text.is_empty());
    let mut found = list_users(&mut request.db().await?, wanted, None, SHOWN_MAX + 1).await?;
    let has_more = found.len() > SHOWN_MAX;
    found.truncate(SHOWN_MAX);
    let users = found.into_iter().map(entry).collect();
    Ok(UsersPage { users, wanted: wanted.unwrap_or_default().to_owned(), has_more })
}

fn entry(found: SystemUser) -> UserEntry {
    let SystemUser { user, last_sign_in_at, is_disabled } = found;
    UserEntry {
        id: user.id.to_string(),
        name: user.name,
        email: user.email.unwrap_or_default(),
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
