//! `/confirm-email/{token}`: a user confirms the e-mail by the link of a mail.

use accounts::email_links::store as email_links;
use accounts::session::Visitor;
use accounts::user::store::user_by_id;
use app::components::error_page::LoadError;
use app::components::error_summary::ErrorSummary;
use app::components::page_title::PageTitle;
use app::html::{Html, html};
use auction_house::people::confirm_email::confirm_email;
use axum::extract::State;
use axum::http::Uri;
use axum::response::Response;
use leptos::prelude::*;
use platform::http::path::At;
use platform::http::problem::Problem;
use platform::token::TokenHash;
use serde::Deserialize;

use crate::pages::error::{Loaded, PageError};
use crate::pages::form::{Form, see_other};
use crate::pages::redraw::redraw;
use crate::pages::request::{PageAt, PageRequest};
use crate::state::AppState;

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

const TITLE: &str = "Confirm your e-mail";

/// `email` is that of the account.
fn confirm_email_page(email: String) -> Html {
    html(view! {
        <PageTitle text=TITLE />
        <section class="form-page">
            <h1>{TITLE}</h1>
            <p class="lead">{format!("{email} is yours, and you have an account here.")}</p>
            <form method="post">
                <ErrorSummary />
                <div class="actions">
                    <button class="button primary" type="submit">
                        "Confirm"
                    </button>
                </div>
            </form>
        </section>
    })
}
