//! `/forgot-password`: a user who has lost the password asks for a link to set a new one.

use leptos::either::Either;
use leptos::prelude::*;

use crate::components::error_summary::ErrorSummary;
use crate::components::field::TextField;
use crate::components::page_title::PageTitle;
use crate::html::{Html, html};
use crate::model::Refused;
use crate::pages::account::form::EMAIL;
use crate::request::query_part;

const TITLE: &str = "Forgotten password";

pub fn forgot_password_page(sends_mail: bool) -> Html {
    let is_sent = query_part("done").is_some() && use_context::<Refused>().is_none();
    let content = if !sends_mail {
        Either::Left(view! {
            <p class="lead">
                "This site sends no mail. Ask the person who runs it for a link to set a new password."
            </p>
        })
    } else {
        Either::Right(view! {
            {is_sent
                .then(|| {
                    view! {
                        <p class="done" role="status">
                            "If there is an account with this e-mail, a mail with a link is on its way. The link works for an hour."
                        </p>
                    }
                })}
            <p class="lead">"Enter your e-mail. You get a link with which you set a new password."</p>
            <form method="post" action="/forgot-password" novalidate>
                <ErrorSummary fields=&[&[EMAIL]] />
                <TextField field=EMAIL kind="email" autocomplete="username" required=true />
                <div class="actions">
                    <button class="button primary" type="submit">
                        "Send link"
                    </button>
                </div>
            </form>
        })
    };
    html(view! {
        <PageTitle text=TITLE />
        <section class="form-page">
            <h1>{TITLE}</h1>
            {content}
        </section>
    })
}
