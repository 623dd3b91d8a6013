//! `/sign-in`

use leptos::prelude::*;

use crate::components::field::TextField;
use crate::html::{Html, html};
use crate::model::Refused;
use crate::pages::account::form::{AccountForm, Alternative};
use crate::request::query_part;

const REGISTER: Alternative = Alternative { question: "New here?", path: "/register", label: "Register" };

pub fn sign_in_page() -> Html {
    html(view! {
        <AccountForm title="Sign in" alternative=REGISTER>
            <Done />
            <TextField name="email" label="E-mail" kind="email" autocomplete="username" required=true />
            <TextField
                name="password"
                label="Password"
                kind="password"
                autocomplete="current-password"
                required=true
            />
            <p class="hint">
                <a href="/forgot-password">"Forgotten password?"</a>
            </p>
        </AccountForm>
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
        _ => return None,
    };
    Some(view! {
        <p class="done" role="status">
            {words}
        </p>
    })
}
