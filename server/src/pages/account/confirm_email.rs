//! `/confirm-email/{token}`: a user confirms the e-mail by the link of a mail.

use app::components::error_page::LoadError;
use app::pages::account::confirm_email::confirm_email_page;
use axum::extract::State;
use axum::http::Uri;
use axum::response::Response;
use serde::Deserialize;

use crate::pages::error::{Loaded, PageError};
use crate::pages::form::{Form, see_other};
use crate::pages::redraw::redraw;
use crate::pages::request::{PageAt, PageRequest};
use crate::state::AppState;
use accounts::email_links::store as email_links;
use accounts::session::Visitor;
use accounts::user::store::user_by_id;
use auction_house::people::confirm_email::confirm_email;
use platform::http::path::At;
use platform::http::problem::Problem;
use platform::token::TokenHash;

/// `/confirm-email/{token}`
#[derive(Deserialize)]
pub struct ConfirmPath {
    token: String,
}

/// `GET /confirm-email/{token}`. Programs that look at the links of mails confirm nothing.
pub async fn show(PageAt(path): PageAt<ConfirmPath>, request: PageRequest) -> Response {
    let email = read(&request, path).await;
    request.render(email, confirm_email_page)
}

/// The e-mail that the link confirms.
async fn read(request: &PageRequest, path: Loaded<ConfirmPath>) -> Loaded<String> {
    let (token, mut db) = (TokenHash::of(&path?.token), request.db().await?);
    let invalid = PageError(LoadError::LinkInvalid);
    let link = email_links::find(&mut db, &token, request.now).await?.ok_or(invalid)?;
    user_by_id(&mut db, link.user_id).await?.and_then(|user| user.email).ok_or(invalid)
}

/// `POST /confirm-email/{token}`
pub async fn post_confirm_email(
    State(state): State<AppState>,
    visitor: Visitor,
    At(ConfirmPath { token }): At<ConfirmPath>,
    uri: Uri,
    form: Form,
) -> Response {
    match confirm_email(&state.accounts, &state.context, &visitor, &token).await {
        Ok(_) => see_other("/account?subject=email&done=confirmed"),
        Err(error) => redraw(&state, &form, show, uri, Problem::from(error)).await,
    }
}
