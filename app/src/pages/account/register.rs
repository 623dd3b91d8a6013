//! `/register`

use leptos::prelude::*;

use crate::components::error_summary::ErrorSummary;
use crate::components::field::TextField;
use crate::components::page_title::PageTitle;
use crate::pages::account::sign_in::{Next, other_door};

#[component]
pub fn Register() -> impl IntoView {
    view! {
        <PageTitle text="Register" />
        <section class="form-page">
            <h1>"Register"</h1>
            <p class="lead">"One account for every auction on this server."</p>
            <form method="post" novalidate>
                <ErrorSummary />
                <TextField
                    name="name"
                    label="Name"
                    hint="Other bidders see it beside your bids."
                    autocomplete="name"
                    maxlength="200"
                    required=true
                />
                <TextField name="email" label="E-mail" kind="email" autocomplete="email" required=true />
                <TextField
                    name="password"
                    label="Password"
                    hint="At least 8 characters. A few words in a row are easy to keep and hard to guess."
                    kind="password"
                    autocomplete="new-password"
                    required=true
                />
                <Next />
                <div class="actions">
                    <button class="button primary" type="submit">
                        "Register"
                    </button>
                    <p>"Already registered? " <a href=other_door("/sign-in")>"Sign in"</a> "."</p>
                </div>
            </form>
        </section>
    }
}
