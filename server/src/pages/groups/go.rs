//! `/go`: signs a managed user in.

use accounts::session::Visitor;
use accounts::sign_in::Entry;
use accounts::sign_in_by_number::{Door, Key, sign_in_by_number};
use app::pages::groups::go::go_page;
use auction_house::ids::UserId;
use axum::extract::State;
use axum::http::Uri;
use axum::response::Response;
use platform::http::problem::Problem;

use crate::pages::account::sign_in::entered;
use crate::pages::auctions::list::open_auctions;
use crate::pages::form::Form;
use crate::pages::redraw::redraw;
use crate::pages::request::PageRequest;
use crate::state::AppState;

const AUCTIONS: &str = "/auctions";

/// `GET /go`, also for a user who is signed in: several share a device.
pub async fn show(request: PageRequest) -> Response {
    request.render(Ok(()), |()| go_page())
}

/// `POST /go`
pub async fn post_go(State(state): State<AppState>, visitor: Visitor, uri: Uri, form: Form) -> Response {
    match try_sign_in(&state, &visitor, &form).await {
        Ok(entry) => {
            let first = first_page(&state, entry.user.id).await;
            entered(&state, &entry, first.as_deref().unwrap_or(AUCTIONS), &form)
        }
        Err(problem) => redraw(&state, &form, show, uri, problem).await,
    }
}

async fn try_sign_in(state: &AppState, visitor: &Visitor, form: &Form) -> Result<Entry, Problem> {
    form.check()?;
    let door = Door::of(form.text("code"), form.text("number"));
    Ok(sign_in_by_number(&state.accounts, visitor, &door, Key::typed(form.text("pin"))).await?)
}

/// The auction that the user came for, if it is the only one that is open.
async fn first_page(state: &AppState, user: UserId) -> Option<String> {
    let mut db = state.context.db.read().await.ok()?;
    match open_auctions(&mut db, user, state.context.clock.now()).await.ok()?.as_slice() {
        [only] => Some(format!("{AUCTIONS}/{}", only.auction.id)),
        _ => None,
    }
}
