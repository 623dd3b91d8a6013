//! `/sign-in`

use leptos::prelude::*;

use crate::components::field::{Field, TextField};
use crate::components::name::Name;
use crate::components::preview_facts::PreviewFacts;
use crate::html::{Html, html};
use crate::model::{AuctionPreview, DemoWindow, Refused};
use crate::pages::account::form::{AccountForm, Alternative, EMAIL, PASSWORD};
use crate::pages::demo::DemoSignIns;
use crate::request::query_part;

const FIELDS: &[Field] = &[EMAIL, PASSWORD];

const REGISTER: Alternative = Alternative { question: "New here?", path: "/register", label: "Register" };

/// `about` is the auction to which signing in leads, if its name may be known, `demo` the way into a demo.
pub fn sign_in_page(about: Option<AuctionPreview>, demo: Option<DemoWindow>) -> Html {
    let demo = demo.map(|window| view! { <DemoSignIns window /> });
    let about = about.map(|auction| {
        view! {
            <p class="lead">"Sign in or register to see and bid in " <Name text=auction.name.clone() /> "."</p>
            <PreviewFacts auction />
        }
    });
    html(view! {
        <AccountForm fields=&[FIELDS] title="Sign in" alternative=REGISTER>
            {about}
            <Done />
            <TextField field=EMAIL kind="email" autocomplete="username" required=true />
            <TextField
                field=PASSWORD
                kind="password"
                autocomplete="current-password"
                required=true
            />
            <p class="hint">
                <a href="/forgot-password">"Forgotten password?"</a>
                " "
                <a href="/go">"Sign in with a number"</a>
            </p>
        </AccountForm>
        {demo}
    })
}

/// The success message of an action that led to this page.
#[component]
fn Done() -> impl IntoView {
    if use_context::<Refused>().is_some() {
        return None;
    }
    let words = match query_part("done")?.as_str() {
        "password" => "Your new password is set. Sign in with it.",
        "deleted" => "Your account is deleted.",
        "late" => "That took too long. Enter your e-mail and password again.",
        _ => return None,
    };
    Some(view! {
        <p class="done" role="status">
            {words}
        </p>
    })
}
