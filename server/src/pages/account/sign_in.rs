//! `/sign-in` and `/sign-out`

use accounts::registration::RegistrationMode;
use accounts::session::Visitor;
use accounts::sign_in::{Entry, SignIn, sign_in};
use accounts::sign_out::sign_out;
use app::components::field::{Field, TextField};
use app::components::name::Name;
use app::components::preview_facts::PreviewFacts;
use app::html::{Html, html};
use app::model::{AuctionPreview, Refused};
use app::request::query_part;
use auction_house::auctions;
use auction_house::auctions::access::AuctionReaders;
use axum::extract::State;
use axum::http::Uri;
use axum::response::Response;
use leptos::prelude::*;
use platform::http::cookie;
use platform::http::problem::Problem;

use super::form::{AccountForm, Alternative, EMAIL, PASSWORD, keeping_next_page};
use super::sign_in_code;
use crate::pages::auction_facts::preview;
use crate::pages::demo::{DemoSignIns, DemoWindow};
use crate::pages::form::{Form, local, see_other};
use crate::pages::redraw::redraw;
use crate::pages::request::PageRequest;
use crate::state::AppState;

/// The page after signing in, unless the form or the address names another.
pub const ENTRANCE: &str = "/dashboard";

/// `GET /sign-in`. A user who is signed in goes on to the next page.
pub async fn show(request: PageRequest) -> Response {
    match signed_in_already(&request) {
        Some(next) => next,
        None => {
            let about = auction_of_next(&request).await;
            let demo = request.state.demo.get().cloned();
            request.render(Ok((about, demo)), |(about, demo)| sign_in_page(about, demo))
        }
    }
}

/// The auction to which signing in leads, if its name is no secret: anyone may read it, or register and join
/// it.
async fn auction_of_next(request: &PageRequest) -> Option<AuctionPreview> {
    let open = request.state.accounts.registration == RegistrationMode::Open;
    let next = request.query("next")?;
    let id = next.strip_prefix("/auctions/")?.split(['/', '?']).next()?.parse().ok()?;
    let found = auctions::store::by_id(&mut request.db().await.ok()?, id, request.now).await.ok()?;
    let auction = found.filter(|auction| match auction.terms.readers() {
        AuctionReaders::Anyone => true,
        AuctionReaders::SignedIn => open,
        AuctionReaders::Members => false,
    })?;
    Some(preview(&auction, request.now))
}

/// Redirects a user who is signed in already to the page to which signing in leads.
pub fn signed_in_already(request: &PageRequest) -> Option<Response> {
    request.user.as_ref().filter(|_| request.refused().is_none())?;
    Some(see_other(local(request.query("next")).unwrap_or(ENTRANCE)))
}

/// `POST /sign-in`
pub async fn post_sign_in(State(state): State<AppState>, visitor: Visitor, uri: Uri, form: Form) -> Response {
    match try_sign_in(&state, &visitor, &form).await {
        Ok(SignIn::Entered(entry)) => entered(&state, &entry, ENTRANCE, &form),
        Ok(SignIn::CodeNeeded(ticket)) => sign_in_code::code_page(&state, &ticket, &form),
        Err(problem) => redraw(&state, &form, show, uri, problem).await,
    }
}

async fn try_sign_in(state: &AppState, visitor: &Visitor, form: &Form) -> Result<SignIn, Problem> {
    form.check()?;
    let (email, password) = (form.text("email"), form.text("password").to_owned());
    Ok(sign_in(&state.accounts, visitor, email, password, None).await?)
}

/// Redirects a user who has signed in or registered to the page that the form names, or to `first`.
pub fn entered(state: &AppState, entry: &Entry, first: &str, form: &Form) -> Response {
    let mut response = see_other(local(form.get("next")).unwrap_or(first));
    let cookies = cookie::begin(entry.session.as_str(), &entry.device.to_string(), &state.http);
    response.headers_mut().extend(cookies);
    response
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

const FIELDS: &[Field] = &[EMAIL, PASSWORD];

const REGISTER: Alternative = Alternative { question: "New here?", path: "/register", label: "Register" };

/// `about` is the auction to which signing in leads, if its name may be known, `demo` the way into a demo.
fn sign_in_page(about: Option<AuctionPreview>, demo: Option<DemoWindow>) -> Html {
    let demo = demo.map(|window| view! { <DemoSignIns window /> });
    let about = about.map(|auction| {
        view! {
            <p class="lead">"Sign in or register to see and bid in " <Name text=auction.name.clone() /> "."</p>
            <PreviewFacts auction />
        }
    });
    html(view! {
        <AccountForm fields=&[FIELDS] title="Sign in" alternative=REGISTER>
            {about}
            <Done />
            <TextField field=EMAIL kind="email" autocomplete="username" required=true />
            <TextField
                field=PASSWORD
                kind="password"
                autocomplete="current-password"
                required=true
            />
            <p class="hint">
                <a href="/forgot-password">"Forgotten password?"</a>
                " "
                <a href=keeping_next_page("/go")>"Sign in with a number"</a>
            </p>
        </AccountForm>
        {demo}
    })
}

/// The success message of an action that led to this page.
#[component]
fn Done() -> impl IntoView {
    if use_context::<Refused>().is_some() {
        return None;
    }
    let words = match query_part("done")?.as_str() {
        "password" => "Your new password is set. Sign in with it.",
        "deleted" => "Your account is deleted.",
        "late" => "That took too long. Enter your e-mail and password again.",
        _ => return None,
    };
    Some(view! {
        <p class="done" role="status">
            {words}
        </p>
    })
}
