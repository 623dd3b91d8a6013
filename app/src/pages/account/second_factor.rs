//! `/account/second-factor`: turning the second factor on and off, and its recovery codes. `/account` has a
//! section that leads here.

use leptos::either::EitherOf3;
use leptos::prelude::*;

use crate::components::error_summary::ErrorSummary;
use crate::components::field::{Field, TextField};
use crate::components::page_title::PageTitle;
use crate::components::qr_code::QrCode;
use crate::html::{Html, html};
use crate::model::{Refused, SecondFactorPage, SecondFactorSetup};
use crate::request::query_part;

const TITLE: &str = "Second factor";
const PATH: &str = "/account/second-factor";

const PASSWORD: Field = Field::new("password", "Password", "Enter your password.");
const CODE: Field = Field::new("code", "Code", "Enter the six digits that your app shows.");
const OFF_PASSWORD: Field = Field { name: "offPassword", ..PASSWORD };
const OFF_CODE: Field =
    Field::new("offCode", "Code", "Enter the six digits that your app shows, or a recovery code.");
const FIELDS: &[Field] = &[PASSWORD, CODE, OFF_PASSWORD, OFF_CODE];

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

pub fn second_factor_page(page: SecondFactorPage) -> Html {
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
pub fn recovery_codes_page(codes: Vec<String>) -> Html {
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
