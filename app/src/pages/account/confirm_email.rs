//! `/confirm-email/{token}`: a user confirms the e-mail.

use leptos::prelude::*;

use crate::components::error_summary::ErrorSummary;
use crate::components::page_title::PageTitle;
use crate::html::{Html, html};

const TITLE: &str = "Confirm your e-mail";

/// `email` is that of the account.
pub fn confirm_email_page(email: String) -> Html {
    html(view! {
        <PageTitle text=TITLE />
        <section class="form-page">
            <h1>{TITLE}</h1>
            <p class="lead">{format!("{email} is yours, and you have an account here.")}</p>
            <form method="post">
                <ErrorSummary />
                <div class="actions">
                    <button class="button primary" type="submit">
                        "Confirm"
                    </button>
                </div>
            </form>
        </section>
    })
}
