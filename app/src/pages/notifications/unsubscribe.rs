//! `/unsubscribe/{token}/{kind}`: ends the mails of one kind, without signing in.

use leptos::either::Either;
use leptos::prelude::*;

use crate::components::page_title::PageTitle;
use crate::html::{Html, html};
use crate::model::Unsubscription;
use crate::pages::account::preferences::kind_words;
use crate::request::query_part;

const TITLE: &str = "Fewer mails";

pub fn unsubscribe_page(unsubscription: Unsubscription) -> Html {
    let Unsubscription { email, kind } = unsubscription;
    let is_done = query_part("done").is_some();
    let content = if is_done {
        Either::Left(view! {
            <p class="done" role="status">
                "No more mails of this kind are sent to you."
            </p>
        })
    } else {
        Either::Right(view! {
            <form method="post">
                <div class="actions">
                    <button class="button primary" type="submit">
                        "Stop these mails"
                    </button>
                </div>
            </form>
        })
    };
    html(view! {
        <PageTitle text=TITLE />
        <section class="form-page">
            <h1>{TITLE}</h1>
            <p class="lead">{format!("Mails to {email}: “{}”.", kind_words(kind))}</p>
            {content}
            <p>
                <a href="/account#preferences">"All your preferences"</a>
            </p>
        </section>
    })
}
