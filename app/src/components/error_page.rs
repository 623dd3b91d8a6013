//! The page that is shown instead of one that could not be loaded, with the status of the error.

use axum::http::StatusCode;
use axum::http::header::{HeaderValue, LOCATION, RETRY_AFTER};
use leptos::prelude::*;
use leptos_axum::ResponseOptions;
use leptos_router::hooks::use_location;

use crate::components::header::sign_in_link;
use crate::components::page_title::PageTitle;
use crate::services::LoadError;

/// The page for a path without a route.
#[component]
pub fn NotFound() -> impl IntoView {
    view! { <ErrorPage error=LoadError::NotFound /> }
}

/// Explains the error and links to the next step.
#[component]
pub fn ErrorPage(error: LoadError) -> impl IntoView {
    set_response(error);
    let (title, why, next, next_label) = words(error);
    let next = if error == LoadError::SignInRequired { sign_in_link_here() } else { next.to_owned() };
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
            ("Sign in first", "You must be signed in to see this page.", "/sign-in", "Sign in")
        }
        LoadError::NotFound => (
            "Page not found",
            "It does not exist, or it is private: then ask its owner for an invitation.",
            "/auctions",
            "See the auctions",
        ),
        LoadError::Forbidden => (
            "You can’t do this",
            "Your role in this auction does not allow it. Ask the auction’s owner for the right.",
            "/auctions",
            "See the auctions",
        ),
        LoadError::LinkInvalid => (
            "This link no longer works",
            "It was used before, or it is more than an hour old. Ask the person who runs this site for a new link.",
            "/sign-in",
            "Sign in",
        ),
        LoadError::InvitationInvalid => (
            "This link no longer works",
            "It was replaced, used or deleted, or the invitation is more than seven days old. Ask the person who gave it to you for a new one.",
            "/auctions",
            "See the auctions",
        ),
        LoadError::Unavailable => (
            "Temporarily unavailable",
            "We can’t reach the database. Nothing is lost: try again in a moment.",
            "/",
            "Go to the start page",
        ),
    }
}

fn status(error: LoadError) -> StatusCode {
    match error {
        LoadError::SignInRequired => StatusCode::SEE_OTHER,
        LoadError::NotFound => StatusCode::NOT_FOUND,
        LoadError::Forbidden => StatusCode::FORBIDDEN,
        LoadError::LinkInvalid | LoadError::InvitationInvalid => StatusCode::GONE,
        LoadError::Unavailable => StatusCode::SERVICE_UNAVAILABLE,
    }
}

/// Link to the sign-in page that leads back to this page.
fn sign_in_link_here() -> String {
    let here = use_location();
    sign_in_link(&here.pathname.get_untracked(), &here.search.get_untracked())
}

fn set_response(error: LoadError) {
    let response = expect_context::<ResponseOptions>();
    response.set_status(status(error));
    match error {
        LoadError::SignInRequired => {
            if let Ok(link) = HeaderValue::from_str(&sign_in_link_here()) {
                response.insert_header(LOCATION, link);
            }
        }
        LoadError::Unavailable => {
            response.insert_header(RETRY_AFTER, HeaderValue::from_static("2"));
        }
        LoadError::NotFound
        | LoadError::Forbidden
        | LoadError::LinkInvalid
        | LoadError::InvitationInvalid => {}
    }
}
