//! What the pages for registration, sign-in and a new password share.

use app::bounds::MIN_PASSWORD_CHARS;
use app::components::error_summary::ErrorSummary;
use app::components::field::{Field, TextField, refused_value};
use app::components::page_title::PageTitle;
use app::request::query_part;
use leptos::prelude::*;
use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};

pub const EMAIL: Field = Field::new("email", "E-mail", "Enter your e-mail address, such as ada@example.org.");
pub const PASSWORD: Field = Field::new("password", "Password", "Use at least 8 characters.");

/// A link to the other of the two pages.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Alternative {
    pub question: &'static str,
    pub path: &'static str,
    pub label: &'static str,
}

/// The page to which the form leads.
pub fn next_page() -> Option<String> {
    refused_value("next").or_else(|| query_part("next"))
}

/// The path of another way in, which leads to the same page.
pub fn keeping_next_page(path: &str) -> String {
    match next_page() {
        Some(next) => format!("{path}?next={}", utf8_percent_encode(&next, NON_ALPHANUMERIC)),
        None => path.to_owned(),
    }
}

/// The children are the fields. `title` is also the label of the submit button. The page to return to is kept
/// in a hidden field and in the link to the alternative.
#[component]
pub fn AccountForm(
    fields: &'static [&'static [Field]],
    title: &'static str,
    #[prop(optional)] lead: Option<&'static str>,
    alternative: Alternative,
    children: Children,
) -> impl IntoView {
    let Alternative { question, path, label } = alternative;
    let link = keeping_next_page(path);
    let next = next_page();
    view! {
        <PageTitle text=title />
        <section class="form-page">
            <h1>{title}</h1>
            {lead.map(|lead| view! { <p class="lead">{lead}</p> })}
            <form method="post" novalidate>
                <ErrorSummary fields />
                {children()}
                {next.map(|next| view! { <input type="hidden" name="next" value=next /> })}
                <div class="actions">
                    <button class="button primary" type="submit">
                        {title}
                    </button>
                    <p>{question} " " <a href=link>{label}</a> "."</p>
                </div>
            </form>
        </section>
    }
}

/// A password that the user chooses.
#[component]
pub fn NewPasswordField(field: Field) -> impl IntoView {
    view! {
        <TextField
            field
            hint=format!(
                "At least {MIN_PASSWORD_CHARS} characters. Several words in a row are easy to remember and hard to guess.",
            )
            kind="password"
            autocomplete="new-password"
            required=true
        />
    }
}
