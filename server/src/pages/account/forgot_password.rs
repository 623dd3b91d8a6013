//! `/forgot-password`: a user who has lost the password asks for a link to set a new one.

use accounts::forgot_password::forgot_password;
use accounts::session::Visitor;
use app::components::error_summary::ErrorSummary;
use app::components::field::TextField;
use app::components::page_title::PageTitle;
use app::html::{Html, html};
use app::model::Refused;
use app::request::query_part;
use axum::extract::State;
use axum::http::Uri;
use axum::response::Response;
use leptos::either::Either;
use leptos::prelude::*;
use platform::fields::Fields;
use platform::http::problem::Problem;

use super::form::EMAIL;
use crate::pages::form::{Form, see_other};
use crate::pages::redraw::redraw;
use crate::pages::request::PageRequest;
use crate::state::AppState;

/// `GET /forgot-password`
pub async fn show(request: PageRequest) -> Response {
    let sends_mail = request.state.accounts.outbox.sends_mail;
    request.render(Ok(()), |()| forgot_password_page(sends_mail))
}

/// `POST /forgot-password`. The answer does not say whether there is such an account.
pub async fn post_forgot_password(
    State(state): State<AppState>,
    visitor: Visitor,
    uri: Uri,
    form: Form,
) -> Response {
    match try_forgot(&state, &visitor, &form).await {
        Ok(()) => see_other("/forgot-password?done=sent"),
        Err(problem) => redraw(&state, &form, show, uri, problem).await,
    }
}

async fn try_forgot(state: &AppState, visitor: &Visitor, form: &Form) -> Result<(), Problem> {
    form.check()?;
    let mut fields = Fields::default();
    let Some(email) = fields.parse("email", form.text("email")) else { return Err(fields.into()) };
    Ok(forgot_password(&state.accounts, visitor, &email).await?)
}

const TITLE: &str = "Forgotten password";

fn forgot_password_page(sends_mail: bool) -> Html {
    let is_sent = query_part("done").is_some() && use_context::<Refused>().is_none();
    let content = if !sends_mail {
        Either::Left(view! {
            <p class="lead">
                "This site sends no mail. Ask the person who runs it for a link to set a new password."
            </p>
        })
    } else {
        Either::Right(view! {
            {is_sent
                .then(|| {
                    view! {
                        <p class="done" role="status">
                            "If there is an account with this e-mail, a mail with a link is on its way. The link works for an hour."
                        </p>
                    }
                })}
            <p class="lead">"Enter your e-mail. You get a link with which you set a new password."</p>
            <form method="post" action="/forgot-password" novalidate>
                <ErrorSummary fields=&[&[EMAIL]] />
                <TextField field=EMAIL kind="email" autocomplete="username" required=true />
                <div class="actions">
                    <button class="button primary" type="submit">
                        "Send link"
                    </button>
                </div>
            </form>
        })
    };
    html(view! {
        <PageTitle text=TITLE />
        <section class="form-page">
            <h1>{TITLE}</h1>
            {content}
        </section>
    })
}
