//! `/unsubscribe/{token}/{kind}`: ends the mails of one kind, without signing in.

use app::components::error_page::LoadError;
use app::components::page_title::PageTitle;
use app::html::{Html, html};
use auction_house::mail::unsubscribe::{UnsubscribePath, find, unsubscribe};
use axum::extract::State;
use axum::http::Uri;
use axum::response::Response;
use leptos::prelude::*;
use platform::http::path::At;

use super::stop_mails::StopMails;
use crate::pages::account::preferences::kind_words;
use crate::pages::error::{Loaded, PageError};
use crate::pages::form::Form;
use crate::pages::redraw;
use crate::pages::redraw::redraw;
use crate::pages::request::{PageAt, PageRequest};
use crate::state::AppState;

/// What a link in a mail ends.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Unsubscription {
    email: String,
    kind: &'static str,
}

/// `GET /unsubscribe/{token}/{kind}`
pub async fn show(PageAt(path): PageAt<UnsubscribePath>, request: PageRequest) -> Response {
    let unsubscription = read(&request, path).await;
    request.render(unsubscription, unsubscribe_page)
}

async fn read(request: &PageRequest, path: Loaded<UnsubscribePath>) -> Loaded<Unsubscription> {
    let found = find(&mut request.db().await?, &path?).await?;
    let (user, kind) = found.ok_or(PageError(LoadError::NotFound))?;
    Ok(Unsubscription { email: user.email.unwrap_or_default(), kind: kind.as_str() })
}

/// `POST /unsubscribe/{token}/{kind}`: the button of the page, and the one of a mail program (RFC 8058),
/// which follows no redirect.
pub async fn post_unsubscribe(
    State(state): State<AppState>,
    At(path): At<UnsubscribePath>,
    uri: Uri,
    form: Form,
) -> Response {
    match unsubscribe(&state.accounts, &path).await {
        Ok(()) => {
            let done = format!("{}?done=ended", uri.path()).parse().unwrap_or_default();
            redraw::show(&state, &form, show, done, None).await
        }
        Err(error) => redraw(&state, &form, show, uri, error.into()).await,
    }
}

const TITLE: &str = "Fewer mails";

fn unsubscribe_page(unsubscription: Unsubscription) -> Html {
    let Unsubscription { email, kind } = unsubscription;
    html(view! {
        <PageTitle text=TITLE />
        <section class="form-page">
            <h1>{TITLE}</h1>
            <p class="lead">{format!("Mails to {email}: “{}”.", kind_words(kind))}</p>
            <StopMails done="No more mails of this kind are sent to you." />
            <p>
                <a href="/account?subject=preferences">"All your preferences"</a>
            </p>
        </section>
    })
}
