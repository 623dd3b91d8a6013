//! `/sign-in`

use leptos::prelude::*;

use crate::components::field::TextField;
use crate::pages::account::form::{AccountForm, Alternative};

const REGISTER: Alternative = Alternative { question: "New here?", path: "/register", label: "Register" };

#[component]
pub fn SignIn() -> impl IntoView {
    view! {
        <AccountForm title="Sign in" alternative=REGISTER>
            <TextField name="email" label="E-mail" kind="email" autocomplete="username" required=true />
            <TextField
                name="password"
                label="Password"
                kind="password"
                autocomplete="current-password"
                required=true
            />
        </AccountForm>
    }
}
