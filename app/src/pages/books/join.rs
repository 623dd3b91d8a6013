//! `/books/join/{token}`: what the link of a book leads to, with one button to become a holder.

use leptos::either::EitherOf3;
use leptos::prelude::*;

use crate::components::error_summary::ErrorSummary;
use crate::components::name::Name;
use crate::components::page_title::PageTitle;
use crate::html::{Html, html};
use crate::model::BookInvitation;
use crate::request::request;

pub fn join_book_page(invitation: BookInvitation) -> Html {
    let path = request().path.clone();
    let BookInvitation { id, name, owner, is_closed, is_holder } = invitation;
    let next = if is_holder {
        EitherOf3::A(view! {
            <p>
                <a class="button primary" href=format!("/books/{id}")>
                    "Go to the balances"
                </a>
            </p>
        })
    } else if is_closed {
        EitherOf3::B(view! { <p class="notice">"These balances are closed: they take no more people."</p> })
    } else {
        EitherOf3::C(view! {
            <form method="post" action=path>
                <div class="actions">
                    <button class="button primary" type="submit">
                        "Take part"
                    </button>
                </div>
            </form>
        })
    };
    html(view! {
        <PageTitle text=format!("Join {name}") />
        <section class="form-page invitation">
            <p class="eyebrow">"Invitation"</p>
            <h1><Name text=name /></h1>
            <p class="lead">
                {format!("{owner} keeps these balances. If you take part, you have a balance, and its keepers see your name and what you bid it for. You can leave again.")}
            </p>
            <ErrorSummary />
            {next}
        </section>
    })
}
