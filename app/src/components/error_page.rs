//! What is shown where there is nothing to show, with the status that says so.

use http::StatusCode;
use http::header::{HeaderValue, LOCATION, RETRY_AFTER};
use leptos::prelude::*;
use leptos_axum::ResponseOptions;
use leptos_router::hooks::use_location;

use crate::components::header::sign_in_link;
use crate::components::page_title::PageTitle;
use crate::services::LoadError;

/// No route has this path.
#[component]
pub fn NotFound() -> impl IntoView {
    view! { <ErrorPage error=LoadError::NotFound /> }
}

/// Says why, and what to do next.
#[component]
pub fn ErrorPage(error: LoadError) -> impl IntoView {
    answer_with(error);
    let (title, why, next, next_label) = words(error);
    view! {
        <PageTitle text=title />
        <section class="notice-page">
            <p class="eyebrow">{status(error).as_str().to_owned()}</p>
            <h1>{title}</h1>
            <p class="lead">{why}</p>
            <p>
                <a class="button" href=next>
                    {next_label}
                </a>
            </p>
        </section>
    }
}

fn words(error: LoadError) -> (&'static str, &'static str, &'static str, &'static str) {
    match error {
        LoadError::SignInRequired => {
            ("Sign in first", "This page is for people who are signed in.", "/sign-in", "Sign in")
        }
        LoadError::NotFound => (
            "Nothing here",
            "There is no such page, or it is not for you to see. A private auction shows itself to its members alone.",
            "/auctions",
            "See the auctions",
        ),
        LoadError::Forbidden => (
            "Not for you to do",
            "You may see this auction, but your part in it does not include this. Its owner can change that.",
            "/auctions",
            "See the auctions",
        ),
        LoadError::Unavailable => (
            "Back in a moment",
            "The auction house can't read its books right now. Nothing is lost: load this page again shortly.",
            "/",
            "To the start page",
        ),
    }
}

fn status(error: LoadError) -> StatusCode {
    match error {
        LoadError::SignInRequired => StatusCode::SEE_OTHER,
        LoadError::NotFound => StatusCode::NOT_FOUND,
        LoadError::Forbidden => StatusCode::FORBIDDEN,
        LoadError::Unavailable => StatusCode::SERVICE_UNAVAILABLE,
    }
}

fn answer_with(error: LoadError) {
    // Absent while the list of routes is being made, when nobody waits for an answer.
    let Some(response) = use_context::<ResponseOptions>() else {
        return;
    };
    response.set_status(status(error));
    match error {
        LoadError::SignInRequired => {
            let here = use_location();
            let link = sign_in_link(&here.pathname.get_untracked(), &here.search.get_untracked());
            if let Ok(link) = HeaderValue::from_str(&link) {
                response.insert_header(LOCATION, link);
            }
        }
        LoadError::Unavailable => {
            response.insert_header(RETRY_AFTER, HeaderValue::from_static("2"));
        }
        LoadError::NotFound | LoadError::Forbidden => {}
    }
}
