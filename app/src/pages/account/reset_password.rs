//! `/reset-password/{token}`: a user who has lost the password sets a new one.

use leptos::prelude::*;

use crate::components::error_summary::ErrorSummary;
use crate::components::field::{Field, TextField};
use crate::components::page_title::PageTitle;
use crate::html::{Html, html};
use crate::model::Filled;
use crate::pages::account::form::{EMAIL, NewPasswordField, PASSWORD};

const TITLE: &str = "Set a new password";

const NEW_PASSWORD: Field = Field { label: "New password", ..PASSWORD };
const FIELDS: &[Field] = &[EMAIL, NEW_PASSWORD];

/// `email` is that of the account.
pub fn reset_password_page(email: String) -> Html {
    provide_context(Filled(vec![("email".to_owned(), email)]));
    html(view! {
        <PageTitle text=TITLE />
        <section class="form-page">
            <h1>{TITLE}</h1>
            <p class="lead">"You are then signed out on every device, and sign in with the new password."</p>
            <form method="post" novalidate>
                <ErrorSummary fields=&[FIELDS] />
                <TextField field=EMAIL kind="email" autocomplete="username" readonly=true />
                <NewPasswordField field=NEW_PASSWORD />
                <div class="actions">
                    <button class="button primary" type="submit">
                        "Set password"
                    </button>
                </div>
            </form>
        </section>
    })
}
