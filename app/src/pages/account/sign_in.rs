//! `/sign-in`

use leptos::prelude::*;
use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};

use crate::components::error_summary::ErrorSummary;
use crate::components::field::TextField;
use crate::components::loaded::query_part;
use crate::components::page_title::PageTitle;
use crate::model::Refused;

#[component]
pub fn SignIn() -> impl IntoView {
    view! {
        <PageTitle text="Sign in" />
        <section class="form-page">
            <h1>"Sign in"</h1>
            <form method="post" novalidate>
                <ErrorSummary />
                <TextField name="email" label="E-mail" kind="email" autocomplete="username" required=true />
                <TextField
                    name="password"
                    label="Password"
                    kind="password"
                    autocomplete="current-password"
                    required=true
                />
                <Next />
                <div class="actions">
                    <button class="button primary" type="submit">
                        "Sign in"
                    </button>
                    <p>"New here? " <a href=other_door("/register")>"Register"</a> "."</p>
                </div>
            </form>
        </section>
    }
}

/// Where the person wanted to go before they had to enter: from the address, or from the form that was sent.
fn next() -> Option<String> {
    let sent = use_context::<Refused>().and_then(|sent| sent.value("next").map(str::to_owned));
    sent.or_else(|| query_part("next"))
}

/// Carries it through the form.
#[component]
pub fn Next() -> impl IntoView {
    next().map(|next| view! { <input type="hidden" name="next" value=next /> })
}

/// The link between the two ways of entering, which keeps it too.
pub fn other_door(path: &str) -> String {
    match next() {
        Some(next) => format!("{path}?next={}", utf8_percent_encode(&next, NON_ALPHANUMERIC)),
        None => path.to_owned(),
    }
}
