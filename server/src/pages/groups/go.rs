//! `/go`: signs a managed user in.

use accounts::session::Visitor;
use accounts::sign_in::Entry;
use accounts::sign_in_by_number::{Door, Key, sign_in_by_number};
use app::pages::groups::go::go_page;
use axum::extract::State;
use axum::http::Uri;
use axum::response::Response;
use platform::http::problem::Problem;

use crate::pages::account::sign_in::entered;
use crate::pages::form::Form;
use crate::pages::redraw::redraw;
use crate::pages::request::PageRequest;
use crate::state::AppState;

/// `GET /go`, also for a user who is signed in: several share a device.
pub async fn show(request: PageRequest) -> Response {
    request.render(Ok(()), |()| go_page())
}

/// `POST /go`
pub async fn post_go(State(state): State<AppState>, visitor: Visitor, uri: Uri, form: Form) -> Response {
    match try_sign_in(&state, &visitor, &form).await {
        Ok(entry) => entered(&state, &entry, &form),
        Err(problem) => redraw(&state, &form, show, uri, problem).await,
    }
}

async fn try_sign_in(state: &AppState, visitor: &Visitor, form: &Form) -> Result<Entry, Problem> {
    form.check()?;
    let door = Door::of(form.text("code"), form.text("number"));
    Ok(sign_in_by_number(&state.accounts, visitor, &door, Key::typed(form.text("pin"))).await?)
}
