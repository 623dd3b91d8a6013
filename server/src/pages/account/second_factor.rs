//! `/account/second-factor`: turning the second factor on and off, and its recovery codes.

use std::sync::Arc;

use accounts::extract::MaybeUser;
use accounts::second_factor::begin::begin;
use accounts::second_factor::confirm::confirm;
use accounts::second_factor::renew_codes::renew_codes;
use accounts::second_factor::store as second_factors;
use accounts::second_factor::{RecoveryCode, turn_off};
use accounts::session::Visitor;
use app::components::error_summary::ErrorSummary;
use app::components::field::{Field, TextField};
use app::components::page_title::PageTitle;
use app::components::qr_code::QrCode;
use app::html::{Html, html};
use app::model::{QrCode, Refused};
use app::request::query_part;
use auction_house::ids::UserId;
use axum::extract::State;
use axum::http::Uri;
use axum::response::Response;
use leptos::either::EitherOf3;
use leptos::prelude::*;
use platform::fields::Object;
use platform::http::path::At;
use platform::http::problem::Problem;

use super::show::PasswordField;
use crate::codes;
use crate::pages::error::Loaded;
use crate::pages::form::{Form, beside, renamed, texts};
use crate::pages::form_route::{FormRequest, SessionFormRequest, up};
use crate::pages::qr::qr_code;
use crate::pages::redraw::redraw;
use crate::pages::redraw::show as show_page;
use crate::pages::request::PageRequest;
use crate::state::AppState;

/// The second factor of the viewer.
#[derive(Debug, Clone, PartialEq, Eq)]
enum SecondFactorPage {
    Off,
    /// It is on once a code is confirmed.
    Begun(SecondFactorSetup),
    On {
        /// The number of those that were not used.
        recovery_codes: i64,
    },
}

/// Secret for an app that shows codes.
#[derive(Debug, Clone, PartialEq, Eq)]
struct SecondFactorSetup {
    /// In base32.
    secret: String,
    /// The secret as an address that opens the app.
    uri: String,
    /// The address as a QR code.
    qr: Option<QrCode>,
}

const TITLE: &str = "Second factor";
const PATH: &str = "/account/second-factor";

const PASSWORD: Field = Field::new("password", "Password", "Enter your password.");
const CODE: Field = Field::new("code", "Code", "Enter the six digits that your app shows.");
const OFF_PASSWORD: Field = Field { name: "offPassword", ..PASSWORD };
const OFF_CODE: Field =
    Field::new("offCode", "Code", "Enter the six digits that your app shows, or a recovery code.");
const FIELDS: &[Field] = &[PASSWORD, CODE, OFF_PASSWORD, OFF_CODE];

/// The password of the form that turns the second factor off, and of the others.
const TYPED_OFF: PasswordField = PasswordField { member: PASSWORD.name, name: OFF_PASSWORD.name };
const TYPED: PasswordField = PasswordField { member: PASSWORD.name, name: PASSWORD.name };

/// `GET /account/second-factor`
pub async fn show(request: PageRequest) -> Response {
    let page = read(&request).await;
    request.render(page, second_factor_page)
}

async fn read(request: &PageRequest) -> Loaded<SecondFactorPage> {
    let user = request.signed_in()?;
    let mut db = request.db().await?;
    let Some(factor) = second_factors::of(&mut db, user.id).await? else { return Ok(SecondFactorPage::Off) };
    if factor.is_on {
        let recovery_codes = second_factors::count_recovery_codes(&mut db, user.id).await?;
        return Ok(SecondFactorPage::On { recovery_codes });
    }
    let uri =
        factor.secret.uri(request.site(), user.email.as_deref().unwrap_or_default()).unwrap_or_default();
    let qr = qr_code(&uri);
    Ok(SecondFactorPage::Begun(SecondFactorSetup { secret: factor.secret.to_base32(), uri, qr }))
}

/// `POST /account/second-factor`
pub async fn set_up(request: SessionFormRequest<()>) -> Result<String, Problem> {
    let SessionFormRequest { request: FormRequest { state, user, form, .. }, visitor, .. } = request;
    let begun = begin(&state.accounts, &visitor, user, texts(&form, &[PASSWORD.name])).await;
    begun.map_err(|error| TYPED.place(error.into()))?;
    Ok(PATH.to_owned())
}

/// `POST /account/second-factor/turn-off`
pub async fn turn_off(request: SessionFormRequest<()>) -> Result<String, Problem> {
    let SessionFormRequest { request: FormRequest { state, user, form, .. }, visitor, .. } = request;
    expect(&state, user, true).await?;
    let mut body = Object::default();
    body.set_given(TYPED_OFF.member, form.get(OFF_PASSWORD.name).as_ref());
    body.set_given("code", form.get(OFF_CODE.name).as_ref());
    turn_off::turn_off(&state.accounts, &visitor, user, body).await.map_err(|error| {
        let problem = renamed(TYPED_OFF.place(error.into()), &[("code", OFF_CODE.name)]);
        beside(OFF_CODE.name, codes::WRONG_CODE, problem)
    })?;
    Ok(format!("{PATH}?done=off"))
}

/// `POST /account/second-factor/confirm`
pub async fn post_confirm(
    State(state): State<AppState>,
    MaybeUser(user): MaybeUser,
    visitor: Visitor,
    uri: Uri,
    form: Form,
) -> Response {
    let form = Arc::new(form);
    let confirmed = async {
        let by = SessionFormRequest::of(&state, user.as_deref(), visitor, Ok(At(())), &form)?;
        expect(&state, by.request.user, false).await?;
        let body = texts(&form, &["code"]);
        let codes = confirm(&state.accounts, &by.visitor, by.request.user, body).await;
        codes.map_err(|error| beside("code", codes::WRONG_CODE, error.into()))
    };
    let confirmed = confirmed.await;
    answer(&state, &form, up(&uri, 1), confirmed).await
}

/// `POST /account/second-factor/recovery-codes`
pub async fn post_recovery_codes(
    State(state): State<AppState>,
    MaybeUser(user): MaybeUser,
    visitor: Visitor,
    uri: Uri,
    form: Form,
) -> Response {
    let form = Arc::new(form);
    let renewed = async {
        let by = SessionFormRequest::of(&state, user.as_deref(), visitor, Ok(At(())), &form)?;
        expect(&state, by.request.user, true).await?;
        let body = texts(&form, &[PASSWORD.name, "code"]);
        let codes = renew_codes(&state.accounts, &by.visitor, by.request.user, body).await;
        codes.map_err(|error| beside("code", codes::WRONG_CODE, TYPED.place(error.into())))
    };
    let renewed = renewed.await;
    answer(&state, &form, up(&uri, 1), renewed).await
}

/// Fails unless the second factor is as on the page that has the form: another tab may have changed it.
async fn expect(state: &AppState, user: UserId, is_on: bool) -> Result<(), Problem> {
    let factor = second_factors::of(&mut state.context.db.read().await?, user).await?;
    match factor.map(|factor| factor.is_on) {
        Some(found) if found == is_on => Ok(()),
        Some(true) => Err(Problem::plain(codes::SECOND_FACTOR_ON)),
        _ => Err(Problem::plain(codes::SECOND_FACTOR_OFF)),
    }
}

/// The page with the new codes. No redirect: they are stored nowhere.
async fn answer(
    state: &AppState,
    form: &Form,
    page: Uri,
    done: Result<Vec<RecoveryCode>, Problem>,
) -> Response {
    match done {
        Ok(codes) => {
            let codes: Vec<_> = codes.into_iter().map(RecoveryCode::into_string).collect();
            let show_codes =
                async move |request: PageRequest| request.render(Ok(codes.clone()), recovery_codes_page);
            show_page(state, form, show_codes, page, None).await
        }
        Err(problem) => redraw(state, form, show, page, problem).await,
    }
}

/// The section of the page of one's own account.
#[component]
pub fn SecondFactor(is_on: bool) -> impl IntoView {
    let (state, link) = if is_on {
        ("It is on: signing in takes your password and a code of your app.", "Manage the second factor")
    } else {
        (
            "It is off. With it, signing in takes a code of an app on your phone besides your password: who learns the password alone can’t sign in.",
            "Set up a second factor",
        )
    };
    view! {
        <section aria-labelledby="second-factor">
            <h2 id="second-factor">{TITLE}</h2>
            <p>{state}</p>
            <a class="button" href=PATH>
                {link}
            </a>
        </section>
    }
}

fn second_factor_page(page: SecondFactorPage) -> Html {
    html(view! {
        <Head title=TITLE />
        <div class="own-account">
            <ErrorSummary fields=&[FIELDS] />
            <Done />
            {match page {
                SecondFactorPage::Off => EitherOf3::A(view! { <Begin /> }),
                SecondFactorPage::Begun(setup) => EitherOf3::B(view! { <Confirm setup /> }),
                SecondFactorPage::On { recovery_codes } => EitherOf3::C(view! { <On recovery_codes /> }),
            }}
        </div>
    })
}

/// The page with new recovery codes, which is shown once.
fn recovery_codes_page(codes: Vec<String>) -> Html {
    let codes = codes.into_iter().map(|code| view! { <li>{code}</li> }).collect_view();
    html(view! {
        <Head title="Your recovery codes" />
        <div class="own-account">
            <section>
                <p class="lead">"Print these codes or copy them to a safe place now. They are not shown again."</p>
                <ol class="recovery-codes">{codes}</ol>
                <p>"If you lose your phone, sign in with one of them instead of a code of the app. Each works once."</p>
                <a class="button primary" href=PATH>
                    "I have kept them"
                </a>
            </section>
        </div>
    })
}

#[component]
fn Head(title: &'static str) -> impl IntoView {
    view! {
        <PageTitle text=title />
        <header class="page-head">
            <div>
                <p class="eyebrow">
                    <a href="/account">"Your account"</a>
                </p>
                <h1>{title}</h1>
            </div>
        </header>
    }
}

/// The success message of the last action.
#[component]
fn Done() -> impl IntoView {
    if use_context::<Refused>().is_some() || query_part("done")?.as_str() != "off" {
        return None;
    }
    Some(view! {
        <p class="done" role="status">
            "The second factor is off. Every other browser is signed out."
        </p>
    })
}

#[component]
fn Begin() -> impl IntoView {
    view! {
        <section>
            <p class="lead">"With a second factor, signing in takes a code of an app on your phone besides your password."</p>
            <p>
                "You need an app for one-time codes, such as Aegis, FreeOTP, Google Authenticator, or your password manager."
            </p>
            <form method="post" action=PATH novalidate>
                <TextField
                    field=PASSWORD
                    kind="password"
                    autocomplete="current-password"
                    required=true
                />
                <button class="button primary" type="submit">
                    "Set up"
                </button>
            </form>
        </section>
    }
}

#[component]
fn Confirm(setup: SecondFactorSetup) -> impl IntoView {
    let SecondFactorSetup { secret, uri, qr } = setup;
    view! {
        <section aria-labelledby="app">
            <h2 id="app">"1. Add this account to your app"</h2>
            <p>"Scan the code with the app, or type the key into it."</p>
            <div class="join-link">
                <div class="join-link-address">
                    <p>
                        <strong>"Key"</strong>
                    </p>
                    <p>
                        <code class="second-factor-key">{grouped(&secret)}</code>
                    </p>
                    <p class="hint">
                        "Is the app on this device? " <a href=uri>"Open it with this key"</a> "."
                    </p>
                </div>
                {qr.map(|qr| view! { <QrCode qr label="QR code of the key" /> })}
            </div>
        </section>
        <section aria-labelledby="first-code">
            <h2 id="first-code">"2. Enter the code that it shows"</h2>
            <p>"This turns the second factor on, and signs you out in every other browser."</p>
            <form method="post" action=format!("{PATH}/confirm") novalidate>
                <TextField
                    field=CODE
                    hint="Six digits, which change every 30 seconds."
                    autocomplete="one-time-code"
                    inputmode="numeric"
                    class="medium"
                    required=true
                />
                <button class="button primary" type="submit">
                    "Turn on"
                </button>
            </form>
        </section>
    }
}

/// In groups of four letters, which are easier to type. Apps ignore the spaces.
fn grouped(key: &str) -> String {
    let letters: Vec<char> = key.chars().collect();
    letters.chunks(4).map(|group| group.iter().collect::<String>()).collect::<Vec<_>>().join(" ")
}

#[component]
fn On(recovery_codes: i64) -> impl IntoView {
    let left = match recovery_codes {
        0 => "You have no recovery code left.".to_owned(),
        1 => "You have 1 recovery code left.".to_owned(),
        count => format!("You have {count} recovery codes left."),
    };
    view! {
        <p class="lead">"It is on: signing in takes your password and a code of your app."</p>
        <section aria-labelledby="recovery-codes">
            <h2 id="recovery-codes">"Recovery codes"</h2>
            <p>{left} " New ones replace those that you have."</p>
            <form method="post" action=format!("{PATH}/recovery-codes") novalidate>
                <TextField
                    field=PASSWORD
                    kind="password"
                    autocomplete="current-password"
                    required=true
                />
                <TextField
                    field=CODE
                    hint="Of your app, or a recovery code."
                    autocomplete="one-time-code"
                    class="medium"
                    required=true
                />
                <button class="button" type="submit">
                    "Make new recovery codes"
                </button>
            </form>
        </section>
        <section aria-labelledby="turn-off">
            <h2 id="turn-off">"Turn it off"</h2>
            <p>"Signing in then takes your password alone. You are signed out in every other browser. To use another phone, turn it off and set it up again."</p>
            <form class="danger" method="post" action=format!("{PATH}/turn-off") novalidate>
                <TextField
                    field=OFF_PASSWORD
                    kind="password"
                    autocomplete="current-password"
                    required=true
                />
                <TextField
                    field=OFF_CODE
                    hint="Six digits from your app, or a recovery code."
                    autocomplete="one-time-code"
                    class="medium"
                    required=true
                />
                <button class="button" type="submit">
                    "Turn off"
                </button>
            </form>
        </section>
    }
}
