//! `/go`: signs a managed user in.

use accounts::session::Visitor;
use accounts::sign_in::Entry;
use accounts::sign_in_by_number::{Door, Key, sign_in_by_number};
use app::assets::BuiltFile;
use app::components::field::{Field, TextField};
use app::html::{Html, html};
use app::scripts::LoadScript;
use auction_house::ids::UserId;
use axum::extract::State;
use axum::http::Uri;
use axum::response::Response;
use leptos::prelude::*;
use platform::http::problem::Problem;

use crate::pages::account::form::{AccountForm, Alternative};
use crate::pages::account::sign_in::entered;
use crate::pages::auctions::list::open_auctions;
use crate::pages::form::Form;
use crate::pages::groups::CODE;
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

const NUMBER: Field = Field::new("number", "Number", "Enter your number.");
const PIN: Field = Field::new("pin", "PIN", "Enter your PIN.");
const FIELDS: &[Field] = &[CODE, NUMBER, PIN];

const SIGN_IN: Alternative = Alternative {
    question: "You have an e-mail and a password?",
    path: "/sign-in",
    label: "Sign in with them",
};

fn go_page() -> Html {
    html(view! {
        <AccountForm
            fields=&[FIELDS]
            title="Sign in"
            lead="With the code, the number and the PIN of your card."
            alternative=SIGN_IN
        >
            <LoadScript script=BuiltFile::GoScript />
            <TextField field=CODE autocomplete="off" maxlength=20 required=true class="medium" />
            <TextField
                field=NUMBER
                autocomplete="username"
                inputmode="numeric"
                maxlength=4
                required=true
                class="medium"
            />
            <TextField
                field=PIN
                kind="password"
                autocomplete="current-password"
                inputmode="numeric"
                maxlength=20
                required=true
                class="medium"
            />
        </AccountForm>
    })
}
