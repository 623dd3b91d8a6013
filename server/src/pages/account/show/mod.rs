//! `/account`: one's own account. The fields of its forms have names of their own, because they share the
//! page.

pub(super) mod view;

use accounts::change_preferences as change;
use accounts::own_sessions::end;
use accounts::path::SessionPath;
use accounts::session::SESSIONS_MAX;
use accounts::session::store as sessions;
use accounts::upgrade::UpgradeRefusal;
use accounts::{change_password, profile, send_email_link};
use app::components::subjects::SUBJECT;
use auction_house::notifications::NotificationKind;
use auction_house::people;
use auction_house::people::delete::delete_account;
use axum::response::Response;
use platform::fields::Object;
use platform::http::problem::Problem;
use platform::verb::Refusal;

use self::view::{AccountPage, account_page};
use super::facts;
use crate::codes;
use crate::pages::error::Loaded;
use crate::pages::form::{beside, beside_pin, renamed};
use crate::pages::form_route::{FormRequest, NextPage, SessionFormRequest};
use crate::pages::request::PageRequest;

const PAGE: &str = "/account";

/// A field for a password: the member of the body, and the field's name.
pub(super) struct PasswordField {
    pub(super) member: &'static str,
    pub(super) name: &'static str,
}

const EMAIL_PASSWORD: PasswordField = PasswordField { member: "currentPassword", name: "emailPassword" };
const CURRENT_PASSWORD: PasswordField = PasswordField { member: "currentPassword", name: "currentPassword" };
const DELETE_PASSWORD: PasswordField = PasswordField { member: "password", name: "deletePassword" };

/// `GET /account`
pub async fn show(request: PageRequest) -> Response {
    let page = read(&request).await;
    request.render(page, account_page)
}

async fn read(request: &PageRequest) -> Loaded<AccountPage> {
    let user = request.signed_in()?;
    let sends_mail = request.state.accounts.outbox.sends_mail;
    let sessions = sessions::of_user(&mut request.db().await?, user.id, request.now, SESSIONS_MAX).await?;
    Ok(facts::page(user, sessions, sends_mail))
}

/// `POST /account/profile`
pub async fn change_profile(request: SessionFormRequest<()>) -> Result<String, Problem> {
    let SessionFormRequest { request: FormRequest { state, user, form, .. }, visitor, .. } = request;
    let mut patch = Object::default();
    // A managed user has no field for it.
    if form.fields().iter().any(|(name, _)| name == "name") {
        patch.set("name", &form.text("name"));
    }
    // Null removes it.
    patch.set("locale", &form.get("locale"));
    profile::change_profile(&state.accounts, &visitor, user, patch).await?;
    Ok(done("profile", "profile"))
}

/// `POST /account/upgrade`: a managed user gets an e-mail and a password.
pub async fn upgrade(request: SessionFormRequest<()>) -> Result<String, Problem> {
    let SessionFormRequest { request: FormRequest { state, user, form, .. }, visitor, .. } = request;
    let account = accounts::user::store::user_by_id(&mut state.context.db.read().await?, user).await?;
    let account = account.ok_or_else(|| Problem::plain(codes::UNAUTHENTICATED))?;
    if !account.is_managed() {
        return Err(UpgradeRefusal::NotManaged.problem());
    }
    let renamed = |problem| renamed(problem, &[("password", "upgradePassword")]);
    let typed = (form.text("email"), form.text("upgradePassword"), None);
    let registration =
        people::upgrade::upgrade_terms(&state.accounts, &account, typed).await.map_err(renamed)?;
    let pin = form.text("pin").to_owned();
    let upgraded =
        people::upgrade::upgrade(&state.accounts, &state.context, &visitor, user, pin, registration);
    upgraded.await.map_err(|error| beside_pin(beside("email", codes::EMAIL_TAKEN, renamed(error.into()))))?;
    Ok(done("email", "upgraded"))
}

/// `POST /account/preferences`. A checkbox that is not checked is not sent.
pub async fn change_preferences(request: FormRequest<()>) -> Result<String, Problem> {
    let FormRequest { state, user, form, .. } = request;
    let flags = |group: &str| {
        let mut flags = Object::default();
        for kind in NotificationKind::ALL {
            flags.set(kind.as_str(), &form.get(&format!("{group}.{}", kind.as_str())).is_some());
        }
        flags
    };
    let mut patch = Object::default();
    // Null removes it.
    patch.set("timeZone", &form.get("timeZone"));
    patch.set("theme", &form.text("theme"));
    patch.set("notify", &flags("notify"));
    if state.accounts.outbox.sends_mail {
        patch.set("mail", &flags("mail"));
    }
    change::change_preferences(&state.accounts, user, patch).await?;
    Ok(done("preferences", "preferences"))
}

/// `POST /account/email`
pub async fn change_email(request: SessionFormRequest<()>) -> Result<String, Problem> {
    let SessionFormRequest { request: FormRequest { state, user, form, .. }, visitor, .. } = request;
    let mut patch = Object::default();
    patch.set("email", &form.text("email"));
    patch.set_given(EMAIL_PASSWORD.member, form.get(EMAIL_PASSWORD.name).as_ref());
    let changed = profile::change_profile(&state.accounts, &visitor, user, patch).await;
    changed.map_err(|error| EMAIL_PASSWORD.place(beside("email", codes::EMAIL_TAKEN, error.into())))?;
    Ok(done("email", "email"))
}

/// `POST /account/email/link`, a button.
pub async fn send_email_link(request: SessionFormRequest<()>) -> Result<String, Problem> {
    let SessionFormRequest { request: FormRequest { state, user, .. }, visitor, .. } = request;
    let account = accounts::user::store::user_by_id(&mut state.context.db.read().await?, user).await?;
    let account = account.ok_or_else(|| Problem::plain(codes::UNAUTHENTICATED))?;
    send_email_link::send_email_link(&state.accounts, &visitor, &account).await?;
    Ok(done("email", "link"))
}

/// `POST /account/password`
pub async fn change_password(request: SessionFormRequest<()>) -> Result<String, Problem> {
    let SessionFormRequest { request: FormRequest { state, user, form, .. }, visitor, .. } = request;
    let mut body = Object::default();
    body.set_given(CURRENT_PASSWORD.member, form.get(CURRENT_PASSWORD.name).as_ref());
    body.set_given("newPassword", form.get("newPassword").as_ref());
    let changed = change_password::change_password(&state.accounts, &visitor, user, body).await;
    changed.map_err(|error| CURRENT_PASSWORD.place(error.into()))?;
    Ok(done("password", "password"))
}

/// `POST /account/sessions/{session_id}/end`, a button.
pub async fn end_session(request: SessionFormRequest<SessionPath>) -> Result<NextPage, Problem> {
    let SessionFormRequest { request: FormRequest { state, user, path, .. }, session, .. } = request;
    let SessionPath { session_id } = path;
    let ended = end::end_session(&state.accounts, user, session_id).await;
    ended.map_err(|error| match error.into() {
        Problem { code: codes::NOT_FOUND, .. } => {
            Problem::new(codes::NOT_FOUND, "This browser is signed out already.")
        }
        problem => problem,
    })?;
    Ok(if session == session_id { NextPage::signed_out("/") } else { done("sessions", "session").into() })
}

/// `POST /account/sessions/end-others`, a button.
pub async fn end_other_sessions(request: SessionFormRequest<()>) -> Result<String, Problem> {
    let SessionFormRequest { request: FormRequest { state, user, .. }, visitor, .. } = request;
    end::end_other_sessions(&state.accounts, user, visitor.session.as_ref()).await?;
    Ok(done("sessions", "sessions"))
}

/// `POST /account/delete`
pub async fn delete(request: SessionFormRequest<()>) -> Result<NextPage, Problem> {
    let SessionFormRequest { request: FormRequest { state, user, form, .. }, visitor, .. } = request;
    let mut body = Object::default();
    body.set_given(DELETE_PASSWORD.member, form.get(DELETE_PASSWORD.name).as_ref());
    let deleted = delete_account(&state.accounts, &visitor, user, body).await;
    deleted.map_err(|error| DELETE_PASSWORD.place(error.into()))?;
    Ok(NextPage::signed_out("/sign-in?done=deleted"))
}

/// The screen of a subject with the success message of this form.
fn done(subject: &str, form: &str) -> String {
    format!("{PAGE}?{SUBJECT}={subject}&done={form}")
}

impl PasswordField {
    /// The problem with the errors of the password beside its field.
    pub(super) fn place(&self, problem: Problem) -> Problem {
        let problem = renamed(problem, &[(self.member, self.name)]);
        beside(self.name, codes::WRONG_PASSWORD, problem)
    }
}
