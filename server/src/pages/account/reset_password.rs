//! `/reset-password/{token}`: a user who has lost the password sets a new one.

use app::components::error_page::LoadError;
use app::pages::account::reset_password::reset_password_page;
use axum::extract::State;
use axum::http::Uri;
use axum::response::Response;
use serde::Deserialize;

use crate::pages::error::{Loaded, PageError};
use crate::pages::form::{Form, see_other};
use crate::pages::redraw::redraw;
use crate::pages::request::{PageAt, PageRequest};
use crate::state::AppState;
use accounts::reset_links::store as reset_links;
use accounts::reset_password::reset_password;
use accounts::session::Visitor;
use platform::fields::Fields;
use platform::http::path::At;
use platform::http::problem::Problem;
use platform::token::TokenHash;

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
