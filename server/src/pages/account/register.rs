//! `/register`

use app::model::Registration as RegistrationWord;
use app::pages::account::register::register_page;
use axum::extract::State;
use axum::http::Uri;
use axum::response::Response;

use super::sign_in::{ENTRANCE, entered, signed_in_already};
use crate::codes;
use crate::pages::error::Loaded;
use crate::pages::form::{Form, beside};
use crate::pages::redraw::redraw;
use crate::pages::request::PageRequest;
use crate::state::AppState;
use accounts::registration::{Registration, RegistrationMode};
use accounts::session::Visitor;
use accounts::sign_in::Entry;
use auction_house::access::store::invites;
use auction_house::people::register::register;
use platform::http::problem::Problem;

/// `GET /register`. A user who is signed in goes on to the next page.
pub async fn show(request: PageRequest) -> Response {
    if let Some(next) = signed_in_already(&request) {
        return next;
    }
    let registration = match request.state.accounts.registration {
        RegistrationMode::Open => RegistrationWord::Open,
        RegistrationMode::Invited => RegistrationWord::Invited,
        RegistrationMode::Closed => RegistrationWord::Closed,
    };
    let email = invited_email(&request).await;
    request.render(email, |email| register_page(registration, email))
}

/// The e-mail of the invite from which the user comes.
async fn invited_email(request: &PageRequest) -> Loaded<Option<String>> {
    let submitted = request.refused().and_then(|refused| refused.value("next"));
    let next = submitted.or(request.query("next"));
    let Some(token) = next.and_then(|next| next.strip_prefix("/invites/")) else { return Ok(None) };
    let invite = invites::by_token(&mut request.db().await?, token, request.now).await?;
    Ok(invite.map(|invite| invite.email.as_typed().to_owned()))
}

/// `POST /register`
pub async fn post_register(
    State(state): State<AppState>,
    visitor: Visitor,
    uri: Uri,
    form: Form,
) -> Response {
    match try_register(&state, &visitor, &form).await {
        Ok(entry) => entered(&state, &entry, ENTRANCE, &form),
        Err(problem) => {
            let problem = beside("email", codes::EMAIL_TAKEN, problem);
            redraw(&state, &form, show, uri, problem).await
        }
    }
}

async fn try_register(state: &AppState, visitor: &Visitor, form: &Form) -> Result<Entry, Problem> {
    form.check()?;
    let token = form.get("next").and_then(invite_token);
    let registration = Registration::parse(
        form.text("email"),
        form.text("password"),
        form.text("name"),
        &[state.accounts.site_name()],
    )?;
    Ok(register(&state.accounts, visitor, registration, token).await?)
}

/// The token of the page of an invite or of a link, to which the new user returns.
fn invite_token(next: &str) -> Option<&str> {
    let rest = next.strip_prefix("/join/").or_else(|| next.strip_prefix("/invites/"))?;
    rest.split('?').next()
}
