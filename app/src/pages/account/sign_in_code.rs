//! `/sign-in/code`: the second step of a sign-in, for an account with a second factor.

use leptos::prelude::*;

use crate::components::error_summary::ErrorSummary;
use crate::components::field::{Field, TextField};
use crate::components::page_title::PageTitle;
use crate::html::{Html, html};
use crate::pages::account::form::next_page;

const TITLE: &str = "Enter your code";

const CODE: Field =
    Field::new("code", "Code", "Enter the six digits that your app shows, or a recovery code.");

pub fn sign_in_code_page() -> Html {
    let next = next_page();
    html(view! {
        <PageTitle text=TITLE />
        <section class="form-page">
            <h1>{TITLE}</h1>
            <p class="lead">"Your password is right. This account also asks for a code."</p>
            <form method="post" novalidate>
                <ErrorSummary fields=&[&[CODE]] />
                <TextField
                    field=CODE
                    hint="Six digits from your app. Lost it? Enter one of your recovery codes."
                    autocomplete="one-time-code"
                    class="medium"
                    required=true
                />
                {next.map(|next| view! { <input type="hidden" name="next" value=next /> })}
                <div class="actions">
                    <button class="button primary" type="submit">
                        "Sign in"
                    </button>
                    <p>"Not you? " <a href="/sign-in">"Start again"</a> "."</p>
                </div>
            </form>
        </section>
    })
}
