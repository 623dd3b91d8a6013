//! `/unsubscribe/{token}/{kind}`: ends the mails of one kind, without signing in.

use leptos::prelude::*;

use super::stop_mails::StopMails;
use crate::components::page_title::PageTitle;
use crate::html::{Html, html};
use crate::model::Unsubscription;
use crate::pages::account::preferences::kind_words;

const TITLE: &str = "Fewer mails";

pub fn unsubscribe_page(unsubscription: Unsubscription) -> Html {
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
