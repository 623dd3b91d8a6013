//! `/sign-in/code`: the second step of a sign-in, for an account with a second factor. The ticket of the
//! first step is in a cookie, so that the password is in no page.

use accounts::second_factor::ticket::Ticket;
use accounts::session::Visitor;
use accounts::sign_in::Entry;
use accounts::sign_in_with_code::{CodeRefusal, sign_in_with_code};
use app::components::account_links::account_link;
use app::components::error_summary::ErrorSummary;
use app::components::field::{Field, TextField};
use app::components::page_title::PageTitle;
use app::html::{Html, html};
use axum::extract::State;
use axum::http::{HeaderMap, Uri};
use axum::response::Response;
use leptos::prelude::*;
use platform::http::cookie;
use platform::http::problem::Problem;
use platform::verb::VerbError;

use super::form::next_page;
use super::sign_in::{ENTRANCE, entered, signed_in_already};
use crate::codes;
use crate::pages::form::{Form, beside, local, see_other};
use crate::pages::redraw::redraw;
use crate::pages::request::PageRequest;
use crate::state::AppState;

/// `GET /sign-in/code`. A user who is signed in goes on to the next page.
pub async fn show(request: PageRequest) -> Response {
    match signed_in_already(&request) {
        Some(next) => next,
        None => request.render(Ok(()), |()| sign_in_code_page()),
    }
}

/// Redirects a visitor whose password was right to the page for the code.
pub fn code_page(state: &AppState, ticket: &Ticket, form: &Form) -> Response {
    let path = local(form.get("next"))
        .map_or_else(|| "/sign-in/code".to_owned(), |next| account_link("/sign-in/code", next));
    let mut response = see_other(&path);
    response.headers_mut().extend(cookie::begin_ticket(&ticket.to_string(), &state.http));
    response
}

/// `POST /sign-in/code`
pub async fn post_code(
    State(state): State<AppState>,
    visitor: Visitor,
    headers: HeaderMap,
    uri: Uri,
    form: Form,
) -> Response {
    let ticket = cookie::ticket(&headers, &state.http);
    match try_code(&state, &visitor, ticket, &form).await {
        Ok(Some(entry)) => {
            let mut response = entered(&state, &entry, ENTRANCE, &form);
            cookie::end_ticket(response.headers_mut(), &state.http);
            response
        }
        Ok(None) => see_other(&late(&form)),
        Err(problem) => {
            let problem = beside("code", codes::INVALID_CODE, problem);
            redraw(&state, &form, show, uri, problem).await
        }
    }
}

/// The page for the first step, which says why it is shown.
fn late(form: &Form) -> String {
    match local(form.get("next")) {
        Some(next) => format!("{}&done=late", account_link("/sign-in", next)),
        None => "/sign-in?done=late".to_owned(),
    }
}

/// `None` if the ticket is not good any more.
async fn try_code(
    state: &AppState,
    visitor: &Visitor,
    ticket: Option<&str>,
    form: &Form,
) -> Result<Option<Entry>, Problem> {
    form.check()?;
    match sign_in_with_code(&state.accounts, visitor, ticket, form.text("code")).await {
        Ok(entry) => Ok(Some(entry)),
        Err(VerbError::Refused(CodeRefusal::TicketInvalid)) => Ok(None),
        Err(error) => Err(error.into()),
    }
}

const TITLE: &str = "Enter your code";

const CODE: Field =
    Field::new("code", "Code", "Enter the six digits that your app shows, or a recovery code.");

fn sign_in_code_page() -> Html {
    let next = next_page();
    html(view! {
        <PageTitle text=TITLE />
        <section class="form-page">
            <h1>{TITLE}</h1>
            <p class="lead">"Your password is right. This account also asks for a code."</p>
            <form method="post" novalidate>
                <ErrorSummary fields=&[&[CODE]] />
                <TextField
                    field=CODE
                    hint="Six digits from your app. Lost it? Enter one of your recovery codes."
                    autocomplete="one-time-code"
                    class="medium"
                    required=true
                />
                {next.map(|next| view! { <input type="hidden" name="next" value=next /> })}
                <div class="actions">
                    <button class="button primary" type="submit">
                        "Sign in"
                    </button>
                    <p>"Not you? " <a href="/sign-in">"Start again"</a> "."</p>
                </div>
            </form>
        </section>
    })
}
