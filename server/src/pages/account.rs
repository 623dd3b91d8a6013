//! The forms for registering, signing in and out, and setting a new password.

use axum::extract::State;
use axum::http::Uri;
use axum::response::Response;
use serde::Deserialize;

use super::form::{Form, beside, local, redraw, redrawn_as, see_other};
use crate::state::AppState;
use accounts::extract::{MaybeUser, Visitor};
use accounts::register::Registration;
use accounts::reset_password::reset_password;
use accounts::sign_in::{Entry, sign_in};
use accounts::sign_out::sign_out;
use auction_house::mail::unsubscribe::{UnsubscribePath, unsubscribe};
use auction_house::people::forgot_password::forgot_password;
use auction_house::people::register::register;
use platform::fields::Fields;
use platform::http::cookie;
use platform::http::path::At;
use platform::http::problem::{Code, Problem};

/// The page after signing in, unless the form or the address names another.
pub(super) const ENTRANCE: &str = "/dashboard";

/// `/reset-password/{token}`
#[derive(Deserialize)]
pub struct ResetPath {
    token: String,
}

/// `POST /register`
pub async fn post_register(
    State(state): State<AppState>,
    MaybeUser(user): MaybeUser,
    visitor: Visitor,
    uri: Uri,
    form: Form,
) -> Response {
    match try_register(&state, &visitor, &form).await {
        Ok(entry) => entered(&state, &entry, &form),
        Err(problem) => {
            let problem = beside("email", Code::EmailTaken, problem);
            redraw(state, user, uri, &form, problem).await
        }
    }
}

/// `POST /sign-in`
pub async fn post_sign_in(
    State(state): State<AppState>,
    MaybeUser(user): MaybeUser,
    visitor: Visitor,
    uri: Uri,
    form: Form,
) -> Response {
    match try_sign_in(&state, &visitor, &form).await {
        Ok(entry) => entered(&state, &entry, &form),
        Err(problem) => redraw(state, user, uri, &form, problem).await,
    }
}

/// `POST /reset-password/{token}`
pub async fn post_reset_password(
    State(state): State<AppState>,
    MaybeUser(user): MaybeUser,
    visitor: Visitor,
    At(ResetPath { token }): At<ResetPath>,
    uri: Uri,
    form: Form,
) -> Response {
    match try_reset(&state, &visitor, &token, &form).await {
        Ok(()) => see_other("/sign-in?done=password"),
        Err(problem) => redraw(state, user, uri, &form, problem).await,
    }
}

/// `POST /forgot-password`. The answer does not say whether there is such an account.
pub async fn post_forgot_password(
    State(state): State<AppState>,
    MaybeUser(user): MaybeUser,
    visitor: Visitor,
    uri: Uri,
    form: Form,
) -> Response {
    match try_forgot(&state, &visitor, &form).await {
        Ok(()) => see_other("/forgot-password?done=sent"),
        Err(problem) => redraw(state, user, uri, &form, problem).await,
    }
}

/// `POST /unsubscribe/{token}/{kind}`: the button of the page, and the one of a mail program (RFC 8058), which follows no
/// redirect.
pub async fn post_unsubscribe(
    State(state): State<AppState>,
    MaybeUser(user): MaybeUser,
    At(path): At<UnsubscribePath>,
    uri: Uri,
    form: Form,
) -> Response {
    match unsubscribe(&state.accounts, &path).await {
        Ok(()) => redrawn_as(state, user, &format!("{}?done=ended", uri.path()), &form).await,
        Err(error) => redraw(state, user, uri, &form, error.into()).await,
    }
}

/// `POST /sign-out`
pub async fn post_sign_out(State(state): State<AppState>, visitor: Visitor) -> Result<Response, Problem> {
    if let Some(session) = &visitor.session {
        sign_out(&state.accounts, session).await?;
    }
    let mut response = see_other("/");
    response.headers_mut().extend(cookie::end(&state.http));
    Ok(response)
}

async fn try_register(state: &AppState, visitor: &Visitor, form: &Form) -> Result<Entry, Problem> {
    form.check()?;
    let token = form.get("next").and_then(invite_token);
    let registration = Registration::parse(form.text("email"), form.text("password"), form.text("name"))?;
    Ok(register(&state.accounts, visitor, registration, token).await?)
}

async fn try_sign_in(state: &AppState, visitor: &Visitor, form: &Form) -> Result<Entry, Problem> {
    form.check()?;
    Ok(sign_in(&state.accounts, visitor, form.text("email"), form.text("password").to_owned()).await?)
}

async fn try_reset(state: &AppState, visitor: &Visitor, token: &str, form: &Form) -> Result<(), Problem> {
    form.check()?;
    let mut fields = Fields::default();
    let Some(new) = fields.parse("password", form.text("password")) else {
        return Err(fields.into());
    };
    Ok(reset_password(&state.accounts, visitor, token, new).await?)
}

async fn try_forgot(state: &AppState, visitor: &Visitor, form: &Form) -> Result<(), Problem> {
    form.check()?;
    let mut fields = Fields::default();
    let Some(email) = fields.parse("email", form.text("email")) else { return Err(fields.into()) };
    Ok(forgot_password(&state.accounts, state.context.notifier, visitor, &email).await?)
}

/// The token of the page of an invite or of a link, to which the new user returns.
fn invite_token(next: &str) -> Option<&str> {
    next.strip_prefix("/join/").or_else(|| next.strip_prefix("/invites/"))
}

fn entered(state: &AppState, entry: &Entry, form: &Form) -> Response {
    let mut response = see_other(local(form.get("next")).unwrap_or(ENTRANCE));
    let cookies = cookie::begin(entry.session.as_str(), &entry.device.to_string(), &state.http);
    response.headers_mut().extend(cookies);
    response
}
