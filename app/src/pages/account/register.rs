//! `/register`

use leptos::prelude::*;

use crate::bounds::MAX_USER_NAME_CHARS;
use crate::components::field::TextField;
use crate::pages::account::form::{AccountForm, Alternative, NewPasswordField};

const SIGN_IN: Alternative =
    Alternative { question: "Already registered?", path: "/sign-in", label: "Sign in" };

#[component]
pub fn Register() -> impl IntoView {
    view! {
        <AccountForm title="Register" lead="One account for every auction on this server." alternative=SIGN_IN>
            <TextField
                name="name"
                label="Name"
                hint="Other bidders see it next to your bids."
                autocomplete="name"
                maxlength=MAX_USER_NAME_CHARS
                required=true
            />
            <TextField name="email" label="E-mail" kind="email" autocomplete="email" required=true />
            <NewPasswordField label="Password" />
        </AccountForm>
    }
}
