//! `/register`

use accounts::registration::{Registration, RegistrationMode};
use accounts::session::Visitor;
use accounts::sign_in::Entry;
use app::bounds::MAX_USER_NAME_CHARS;
use app::components::account_links::account_link;
use app::components::field::{Field, TextField};
use app::components::page_title::PageTitle;
use app::html::{Html, html};
use app::model::Filled;
use auction_house::access::store::invites;
use auction_house::people::register::register;
use axum::extract::State;
use axum::http::Uri;
use axum::response::Response;
use leptos::prelude::*;
use platform::http::problem::Problem;

use super::form::{AccountForm, Alternative, EMAIL, NewPasswordField, PASSWORD, next_page};
use super::sign_in::{ENTRANCE, entered, signed_in_already};
use crate::codes;
use crate::pages::error::Loaded;
use crate::pages::form::{Form, beside};
use crate::pages::redraw::redraw;
use crate::pages::request::PageRequest;
use crate::state::AppState;

/// `GET /register`. A user who is signed in goes on to the next page.
pub async fn show(request: PageRequest) -> Response {
    if let Some(next) = signed_in_already(&request) {
        return next;
    }
    let registration = request.state.accounts.registration;
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

/// The name of a user.
pub const NAME: Field = Field::new("name", "Name", "Enter your name.")
    .called("your name")
    .instead("Enter your name in at most 100 visible characters. Nobody can be named “deleted user”.");
const FIELDS: &[Field] = &[NAME, EMAIL, PASSWORD];

const SIGN_IN: Alternative =
    Alternative { question: "Already registered?", path: "/sign-in", label: "Sign in" };

/// `email` is that of the invite from which the user comes.
fn register_page(registration: RegistrationMode, email: Option<String>) -> Html {
    match registration {
        RegistrationMode::Closed => html(view! { <Closed /> }),
        RegistrationMode::Invited => html(view! { <RegistrationForm email is_by_invitation=true /> }),
        RegistrationMode::Open => html(view! { <RegistrationForm email is_by_invitation=false /> }),
    }
}

#[component]
fn RegistrationForm(email: Option<String>, is_by_invitation: bool) -> impl IntoView {
    if let Some(email) = email {
        provide_context(Filled(vec![("email".to_owned(), email)]));
    }
    let is_invitation = |next: &String| next.starts_with("/join/") || next.starts_with("/invites/");
    let lacks_invitation = is_by_invitation && !next_page().as_ref().is_some_and(is_invitation);
    view! {
        <AccountForm fields=&[FIELDS] title="Register" lead="One account for every auction on this server." alternative=SIGN_IN>
            {lacks_invitation
                .then(|| {
                    view! {
                        <p class="notice">
                            "Registration is by invitation: open the link that you received."
                        </p>
                    }
                })}
            <TextField
                field=NAME
                hint="Other bidders see it next to your bids."
                autocomplete="name"
                maxlength=MAX_USER_NAME_CHARS
                required=true
            />
            <TextField field=EMAIL kind="email" autocomplete="email" required=true />
            <NewPasswordField field=PASSWORD />
        </AccountForm>
    }
}

#[component]
fn Closed() -> impl IntoView {
    let sign_in = next_page().map_or_else(|| "/sign-in".to_owned(), |next| account_link("/sign-in", &next));
    view! {
        <PageTitle text="Register" />
        <section class="notice-page">
            <h1>"Registration is closed"</h1>
            <p class="lead">"New accounts can’t be made on this server. Ask the person who runs it."</p>
            <p>
                <a class="button" href=sign_in>
                    "Sign in"
                </a>
            </p>
        </section>
    }
}
