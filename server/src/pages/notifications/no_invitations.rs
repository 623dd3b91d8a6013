//! `/no-invitations/{token}`: ends mails with invitations to an address, without an account.

use app::components::error_page::LoadError;
use app::pages::notifications::no_invitations::no_invitations_page;
use axum::extract::State;
use axum::http::Uri;
use axum::response::Response;

use crate::pages::error::{Loaded, PageError};
use crate::pages::form::Form;
use crate::pages::redraw::{self, redraw};
use crate::pages::request::{PageAt, PageRequest};
use crate::state::AppState;
use auction_house::mail::refuse_invitations::{find_address, refuse_invitations};
use auction_house::path::TokenPath;
use platform::http::path::At;

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
