//! `/reset-password/{token}`: a user who has lost the password sets a new one.

use leptos::prelude::*;

use crate::components::error_summary::ErrorSummary;
use crate::components::field::TextField;
use crate::components::page_title::PageTitle;
use crate::html::{Html, html};
use crate::model::Filled;
use crate::pages::account::form::NewPasswordField;

const TITLE: &str = "Set a new password";

/// `email` is that of the account.
pub fn reset_password_page(email: String) -> Html {
    provide_context(Filled(vec![("email".to_owned(), email)]));
    html(view! {
        <PageTitle text=TITLE />
        <section class="form-page">
            <h1>{TITLE}</h1>
            <p class="lead">"You are then signed out on every device, and sign in with the new password."</p>
            <form method="post" novalidate>
                <ErrorSummary />
                <TextField name="email" label="E-mail" kind="email" autocomplete="username" readonly=true />
                <NewPasswordField label="New password" />
                <div class="actions">
                    <button class="button primary" type="submit">
                        "Set password"
                    </button>
                </div>
            </form>
        </section>
    })
}
