//! `/reset-password/{token}`: a user who has lost the password sets a new one.

use accounts::reset_links::store as reset_links;
use accounts::reset_password::reset_password;
use accounts::session::Visitor;
use app::components::error_page::LoadError;
use app::components::error_summary::ErrorSummary;
use app::components::field::{Field, TextField};
use app::components::page_title::PageTitle;
use app::html::{Html, html};
use app::model::Filled;
use axum::extract::State;
use axum::http::Uri;
use axum::response::Response;
use leptos::prelude::*;
use platform::fields::Fields;
use platform::http::path::At;
use platform::http::problem::Problem;
use platform::token::TokenHash;
use serde::Deserialize;

use super::form::{EMAIL, NewPasswordField, PASSWORD};
use crate::pages::error::{Loaded, PageError};
use crate::pages::form::{Form, see_other};
use crate::pages::redraw::redraw;
use crate::pages::request::{PageAt, PageRequest};
use crate::state::AppState;

/// `/reset-password/{token}`
#[derive(Deserialize)]
pub struct ResetPath {
    token: String,
}

/// `GET /reset-password/{token}`
pub async fn show(PageAt(path): PageAt<ResetPath>, request: PageRequest) -> Response {
    let email = read(&request, path).await;
    request.render(email, reset_password_page)
}

/// The e-mail of the account whose password the link sets.
async fn read(request: &PageRequest, path: Loaded<ResetPath>) -> Loaded<String> {
    let token = TokenHash::of(&path?.token);
    let found = reset_links::user(&mut request.db().await?, &token, request.now).await?;
    found.and_then(|user| user.email).ok_or(PageError(LoadError::LinkInvalid))
}

/// `POST /reset-password/{token}`
pub async fn post_reset_password(
    State(state): State<AppState>,
    visitor: Visitor,
    At(ResetPath { token }): At<ResetPath>,
    uri: Uri,
    form: Form,
) -> Response {
    match try_reset(&state, &visitor, &token, &form).await {
        Ok(()) => see_other("/sign-in?done=password"),
        Err(problem) => redraw(&state, &form, show, uri, problem).await,
    }
}

async fn try_reset(state: &AppState, visitor: &Visitor, token: &str, form: &Form) -> Result<(), Problem> {
    form.check()?;
    let mut fields = Fields::default();
    let Some(new) = fields.parse("password", form.text("password")) else {
        return Err(fields.into());
    };
    Ok(reset_password(&state.accounts, visitor, token, new).await?)
}

const TITLE: &str = "Set a new password";

const NEW_PASSWORD: Field = Field { label: "New password", ..PASSWORD };
const FIELDS: &[Field] = &[EMAIL, NEW_PASSWORD];

/// `email` is that of the account.
fn reset_password_page(email: String) -> Html {
    provide_context(Filled(vec![("email".to_owned(), email)]));
    html(view! {
        <PageTitle text=TITLE />
        <section class="form-page">
            <h1>{TITLE}</h1>
            <p class="lead">"You are then signed out on every device, and sign in with the new password."</p>
            <form method="post" novalidate>
                <ErrorSummary fields=&[FIELDS] />
                <TextField field=EMAIL kind="email" autocomplete="username" readonly=true />
                <NewPasswordField field=NEW_PASSWORD />
                <div class="actions">
                    <button class="button primary" type="submit">
                        "Set password"
                    </button>
                </div>
            </form>
        </section>
    })
}
