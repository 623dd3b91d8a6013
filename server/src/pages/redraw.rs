//! The page of a form that the server refused, with the submitted values and an error beside each invalid
//! field. It is rendered like a page that is read: with a permit, and on a thread of low priority.

use std::sync::Arc;

use app::components::account_links::account_link;
use app::model::{FieldProblem, NextStep, Refused};
use axum::body::Body;
use axum::extract::{FromRequestParts, Request};
use axum::handler::Handler;
use axum::http::{HeaderValue, Method, StatusCode, Uri, header};
use axum::response::{IntoResponse, Response};

use super::field_problem::field_problem;
use super::form::Form;
use crate::codes;
use crate::state::AppState;
use accounts::extract::CurrentClient;
use platform::http::problem::Problem;
use platform::http::read_limiter::{RequestClass, limit_reads};
use platform::net::Client;

/// A form that its page shows again, and the status of the response. With a success, nothing was refused: the
/// page has its own status.
#[derive(Debug, Clone)]
pub struct RefusedForm {
    pub status: StatusCode,
    /// Also if the page itself may be read without an account.
    pub needs_sign_in: bool,
    pub shown: Refused,
}

/// Renders the page at `address` with the submitted values of the form and its errors. `page` is the page's
/// handler. Passwords are not sent back.
pub async fn redraw<T, Page>(
    state: &AppState,
    form: &Form,
    page: Page,
    address: Uri,
    problem: Problem,
) -> Response
where
    T: 'static,
    Page: Handler<T, AppState>,
{
    let is_button = form.fields().is_empty();
    let shown = Refused { values: submitted(form), is_button, ..explain(&problem, form, address.path()) };
    let retry_after = problem.retry_after_seconds.map(HeaderValue::from);
    let needs_sign_in = problem.code == codes::UNAUTHENTICATED;
    let refused = RefusedForm { status: problem.code.status(), needs_sign_in, shown };
    let mut response = show(state, form, page, address, Some(refused)).await;
    if let Some(seconds) = retry_after {
        response.headers_mut().insert(header::RETRY_AFTER, seconds);
    }
    response
}

/// Renders the page at `address` with the submitted values of the form and a preview of its description.
pub async fn preview<T, Page>(state: &AppState, form: &Form, page: Page, address: Uri) -> Response
where
    T: 'static,
    Page: Handler<T, AppState>,
{
    let shown = Refused { values: submitted(form), ..Refused::default() };
    let shown = RefusedForm { status: StatusCode::OK, needs_sign_in: false, shown };
    let (pages, markdown) = (Arc::clone(&state.pages), form.text("description").to_owned());
    let preview = move |form: &mut RefusedForm| form.shown.preview = Some(pages.rendered(markdown));
    show_with(state, form, page, address, Some(shown), preview).await
}

/// Renders the page at `address` in response to a form. Without a user the form counts for its client's
/// address before anything is rendered.
pub async fn show<T, Page>(
    state: &AppState,
    form: &Form,
    page: Page,
    address: Uri,
    refused: Option<RefusedForm>,
) -> Response
where
    T: 'static,
    Page: Handler<T, AppState>,
{
    show_with(state, form, page, address, refused, |_| {}).await
}

/// Like [`show`], with `complete` for the rest of the form, which takes time.
async fn show_with<T, Page>(
    state: &AppState,
    form: &Form,
    page: Page,
    address: Uri,
    refused: Option<RefusedForm>,
    complete: impl FnOnce(&mut RefusedForm) + Send + 'static,
) -> Response
where
    T: 'static,
    Page: Handler<T, AppState>,
{
    let mut parts = form.parts.clone();
    let Ok(CurrentClient(client)) = CurrentClient::from_request_parts(&mut parts, state).await;
    if let Client::Address(address) = client
        && let Err(too_many) = state.limits.shown_form(address)
    {
        return Problem::from(too_many).into_response();
    }
    (parts.method, parts.uri) = (Method::GET, address);
    let accepted = parts.headers.get(header::ACCEPT_ENCODING).cloned();
    let (request, shared) = (Request::from_parts(parts, Body::empty()), state.clone());
    let answer = async move |mut request: Request| {
        if let Some(mut refused) = refused {
            complete(&mut refused);
            request.extensions_mut().insert(refused);
        }
        let response = page.call(request, shared.clone()).await;
        shared.compressor.compress(response, accepted).await
    };
    let class = RequestClass::LowPriority;
    limit_reads(&state.reads, &state.low_priority, (class, client), request, answer).await
}

/// The submitted values that are sent back: no passwords.
fn submitted(form: &Form) -> Vec<(String, String)> {
    let shown = form.fields().iter().filter(|(name, _)| !name.to_ascii_lowercase().contains("password"));
    shown.cloned().collect()
}

/// The message and the errors of the fields for a problem of a form on the page at this path.
pub fn explain(problem: &Problem, form: &Form, page: &str) -> Refused {
    let mut problems: Vec<(String, FieldProblem)> = Vec::new();
    for field in problem.fields.iter().filter(|field| !field.path.is_empty()) {
        if problems.iter().all(|(path, _)| *path != field.path) {
            let typed = form.text(&field.path);
            problems.push((field.path.clone(), field_problem(field, typed, &form.typed(typed))));
        }
    }
    let fields = problems;
    let message = match problem.code {
        _ if !fields.is_empty() => String::new(),
        // The bid form names the broken rules.
        codes::BID_REJECTED => String::new(),
        _ if !problem.fields.is_empty() || problem.detail == format!("{}.", problem.code.title()) => {
            problem.detail.clone()
        }
        // The detail says it all.
        codes::INVALID_CREDENTIALS
        | codes::SECOND_FACTOR_ON
        | codes::SECOND_FACTOR_NEEDED
        | codes::SECOND_FACTOR_OFF
        | codes::REGISTRATION_CLOSED
        | codes::DEPLOYMENT_ADMIN
        | codes::OWNS_AUCTIONS
        | codes::OWNS_BOOKS
        | codes::LEADS_OPEN_ITEMS
        | codes::NOT_FOUND => problem.detail.clone(),
        _ => format!("{}. {}", problem.code.title(), problem.detail),
    };
    let next_step = (problem.code == codes::EMAIL_TAKEN && page == "/register").then(|| NextStep {
        label: "Sign in instead",
        path: form.get("next").map_or_else(|| "/sign-in".to_owned(), |next| account_link("/sign-in", next)),
    });
    Refused { message, next_step, fields, ..Refused::default() }
}
