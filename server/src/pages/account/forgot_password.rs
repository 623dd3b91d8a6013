//! `/forgot-password`: a user who has lost the password asks for a link to set a new one.

use app::pages::account::forgot_password::forgot_password_page;
use axum::extract::State;
use axum::http::Uri;
use axum::response::Response;

use crate::pages::form::{Form, see_other};
use crate::pages::redraw::redraw;
use crate::pages::request::PageRequest;
use crate::state::AppState;
use accounts::forgot_password::forgot_password;
use accounts::session::Visitor;
use platform::fields::Fields;
use platform::http::problem::Problem;

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
