//! `/sign-in` and `/sign-out`

use app::model::AuctionPreview;
use app::pages::account::sign_in::sign_in_page;
use axum::extract::State;
use axum::http::Uri;
use axum::response::Response;

use super::sign_in_code;
use crate::pages::auctions::facts::preview;
use crate::pages::form::{Form, local, see_other};
use crate::pages::redraw::redraw;
use crate::pages::request::PageRequest;
use crate::state::AppState;
use accounts::registration::RegistrationMode;
use accounts::session::Visitor;
use accounts::sign_in::sign_in;
use accounts::sign_in::{Entry, SignIn};
use accounts::sign_out::sign_out;
use auction_house::auctions;
use auction_house::auctions::access::AuctionReaders;
use platform::http::cookie;
use platform::http::problem::Problem;

/// The page after signing in, unless the form or the address names another.
pub const ENTRANCE: &str = "/dashboard";

/// `GET /sign-in`. A user who is signed in goes on to the next page.
pub async fn show(request: PageRequest) -> Response {
    match signed_in_already(&request) {
        Some(next) => next,
        None => {
            let about = auction_of_next(&request).await;
            let demo = request.state.demo.get().cloned();
            request.render(Ok((about, demo)), |(about, demo)| sign_in_page(about, demo))
        }
    }
}

/// The auction to which signing in leads, if its name is no secret: anyone may read it, or register and join
/// it.
async fn auction_of_next(request: &PageRequest) -> Option<AuctionPreview> {
    let open = request.state.accounts.registration == RegistrationMode::Open;
    let next = request.query("next")?;
    let id = next.strip_prefix("/auctions/")?.split(['/', '?']).next()?.parse().ok()?;
    let found = auctions::store::by_id(&mut request.db().await.ok()?, id, request.now).await.ok()?;
    let auction = found.filter(|auction| match auction.terms.readers() {
        AuctionReaders::Anyone => true,
        AuctionReaders::SignedIn => open,
        AuctionReaders::Members => false,
    })?;
    Some(preview(&auction, request.now))
}

/// Redirects a user who is signed in already to the page to which signing in leads.
pub fn signed_in_already(request: &PageRequest) -> Option<Response> {
    request.user.as_ref().filter(|_| request.refused().is_none())?;
    Some(see_other(local(request.query("next")).unwrap_or(ENTRANCE)))
}

/// `POST /sign-in`
pub async fn post_sign_in(State(state): State<AppState>, visitor: Visitor, uri: Uri, form: Form) -> Response {
    match try_sign_in(&state, &visitor, &form).await {
        Ok(SignIn::Entered(entry)) => entered(&state, &entry, ENTRANCE, &form),
        Ok(SignIn::CodeNeeded(ticket)) => sign_in_code::code_page(&state, &ticket, &form),
        Err(problem) => redraw(&state, &form, show, uri, problem).await,
    }
}

async fn try_sign_in(state: &AppState, visitor: &Visitor, form: &Form) -> Result<SignIn, Problem> {
    form.check()?;
    let (email, password) = (form.text("email"), form.text("password").to_owned());
    Ok(sign_in(&state.accounts, visitor, email, password, None).await?)
}

/// Redirects a user who has signed in or registered to the page that the form names, or to `first`.
pub fn entered(state: &AppState, entry: &Entry, first: &str, form: &Form) -> Response {
    let mut response = see_other(local(form.get("next")).unwrap_or(first));
    let cookies = cookie::begin(entry.session.as_str(), &entry.device.to_string(), &state.http);
    response.headers_mut().extend(cookies);
    response
}

/// `POST /sign-out`
pub async fn post_sign_out(State(state): State<AppState>, visitor: Visitor) -> Result<Response, Problem> {
    if let Some(session) = &visitor.session {
        sign_out(&state.accounts, session).await?;
    }
    let mut response = see_other("/");
    response.headers_mut().extend(cookie::end(&state.http));
    Ok(response)
}
