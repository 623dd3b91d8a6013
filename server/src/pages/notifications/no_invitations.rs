//! `/no-invitations/{token}`: ends mails with invitations to an address, without an account.

use app::components::error_page::LoadError;
use app::components::page_title::PageTitle;
use app::html::{Html, html};
use auction_house::mail::refuse_invitations::{find_address, refuse_invitations};
use auction_house::path::TokenPath;
use axum::extract::State;
use axum::http::Uri;
use axum::response::Response;
use leptos::prelude::*;
use platform::http::path::At;

use super::stop_mails::StopMails;
use crate::pages::error::{Loaded, PageError};
use crate::pages::form::Form;
use crate::pages::redraw;
use crate::pages::redraw::redraw;
use crate::pages::request::{PageAt, PageRequest};
use crate::state::AppState;

/// `GET /no-invitations/{token}`
pub async fn show(PageAt(path): PageAt<TokenPath>, request: PageRequest) -> Response {
    let address = read(&request, path).await;
    request.render(address, no_invitations_page)
}

async fn read(request: &PageRequest, path: Loaded<TokenPath>) -> Loaded<String> {
    let address = find_address(&mut request.db().await?, &path?.token).await?;
    address.ok_or(PageError(LoadError::NotFound))
}

/// `POST /no-invitations/{token}`: the button of the page, and the one of a mail program (RFC 8058), which
/// follows no redirect.
pub async fn post_no_invitations(
    State(state): State<AppState>,
    At(TokenPath { token }): At<TokenPath>,
    uri: Uri,
    form: Form,
) -> Response {
    match refuse_invitations(&state.context, &token).await {
        Ok(()) => {
            let done = format!("{}?done=ended", uri.path()).parse().unwrap_or_default();
            redraw::show(&state, &form, show, done, None).await
        }
        Err(error) => redraw(&state, &form, show, uri, error.into()).await,
    }
}

const TITLE: &str = "No more invitations";

/// `address` is the one that gets no more invitations.
fn no_invitations_page(address: String) -> Html {
    html(view! {
        <PageTitle text=TITLE />
        <section class="form-page">
            <h1>{TITLE}</h1>
            <p class="lead">{format!("Invitations to auctions on this site, mailed to {address}.")}</p>
            <StopMails done="No more invitations are mailed to this address." />
        </section>
    })
}
