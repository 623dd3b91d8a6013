//! `/register`

use leptos::prelude::*;

use crate::bounds::MAX_USER_NAME_CHARS;
use crate::components::account_links::account_link;
use crate::components::field::{Field, TextField};
use crate::components::page_title::PageTitle;
use crate::html::{Html, html};
use crate::model::{Filled, Registration};
use crate::pages::account::form::{AccountForm, Alternative, EMAIL, NewPasswordField, PASSWORD, next_page};

/// The name of a user.
pub const NAME: Field = Field::new("name", "Name", "Enter your name.")
    .called("your name")
    .instead("Enter your name in at most 100 visible characters. Nobody can be named “deleted user”.");
const FIELDS: &[Field] = &[NAME, EMAIL, PASSWORD];

const SIGN_IN: Alternative =
    Alternative { question: "Already registered?", path: "/sign-in", label: "Sign in" };

/// `email` is that of the invite from which the user comes.
pub fn register_page(registration: Registration, email: Option<String>) -> Html {
    match registration {
        Registration::Closed => html(view! { <Closed /> }),
        Registration::Invited => html(view! { <Form email is_by_invitation=true /> }),
        Registration::Open => html(view! { <Form email is_by_invitation=false /> }),
    }
}

#[component]
fn Form(email: Option<String>, is_by_invitation: bool) -> impl IntoView {
    if let Some(email) = email {
        provide_context(Filled(vec![("email".to_owned(), email)]));
    }
    let is_invitation = |next: &String| next.starts_with("/join/") || next.starts_with("/invites/");
    let lacks_invitation = is_by_invitation && !next_page().as_ref().is_some_and(is_invitation);
    view! {
        <AccountForm fields=&[FIELDS] title="Register" lead="One account for every auction on this server." alternative=SIGN_IN>
            {lacks_invitation
                .then(|| {
                    view! {
                        <p class="notice">
                            "Registration is by invitation: open the link that you received."
                        </p>
                    }
                })}
            <TextField
                field=NAME
                hint="Other bidders see it next to your bids."
                autocomplete="name"
                maxlength=MAX_USER_NAME_CHARS
                required=true
            />
            <TextField field=EMAIL kind="email" autocomplete="email" required=true />
            <NewPasswordField field=PASSWORD />
        </AccountForm>
    }
}

#[component]
fn Closed() -> impl IntoView {
    let sign_in = next_page().map_or_else(|| "/sign-in".to_owned(), |next| account_link("/sign-in", &next));
    view! {
        <PageTitle text="Register" />
        <section class="notice-page">
            <h1>"Registration is closed"</h1>
            <p class="lead">"New accounts can’t be made on this server. Ask the person who runs it."</p>
            <p>
                <a class="button" href=sign_in>
                    "Sign in"
                </a>
            </p>
        </section>
    }
}
