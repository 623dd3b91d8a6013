//! The page that is shown instead of one that could not be loaded.

use leptos::prelude::*;

use crate::components::account_links::sign_in_link;
use crate::components::page_title::PageTitle;
use crate::html::{Html, html};
use crate::request::request;

/// Why a page could not be loaded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LoadError {
    /// The viewer must sign in first.
    SignInRequired,
    /// It does not exist, or the viewer may not know of it.
    NotFound,
    /// The viewer may see the auction but not do this in it.
    Forbidden,
    /// The link was used, or it has expired.
    LinkInvalid,
    /// The link of an auction was replaced, or an invite was used, replaced or deleted, or has expired.
    InvitationInvalid,
    /// The database did not respond. A retry may succeed.
    Unavailable,
}

impl LoadError {
    /// Status of the response.
    pub fn status(self) -> u16 {
        match self {
            Self::SignInRequired => 303,
            Self::NotFound => 404,
            Self::Forbidden => 403,
            Self::LinkInvalid | Self::InvitationInvalid => 410,
            Self::Unavailable => 503,
        }
    }
}

/// Explains the error and links to the next step.
pub fn error_page(error: LoadError) -> Html {
    let (title, why, next, next_label) = words(error);
    let next = if error == LoadError::SignInRequired {
        let request = request();
        sign_in_link(&request.path, &request.search)
    } else {
        next.to_owned()
    };
    html(view! {
        <PageTitle text=title />
        <section class="notice-page">
            <p class="eyebrow">{error.status()}</p>
            <h1>{title}</h1>
            <p class="lead">{why}</p>
            <p>
                <a class="button" href=next>
                    {next_label}
                </a>
            </p>
        </section>
    })
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
            "It was used before, or it has expired. Ask for a new one, or tell the person who runs this site.",
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
