//! `/no-invitations/{token}`: ends mails with invitations to an address, without an account.

use leptos::either::Either;
use leptos::prelude::*;

use crate::components::page_title::PageTitle;
use crate::html::{Html, html};
use crate::request::query_part;

const TITLE: &str = "No more invitations";

/// `address` is the one that gets no more invitations.
pub fn no_invitations_page(address: String) -> Html {
    let content = if query_part("done").is_some() {
        Either::Left(view! {
            <p class="done" role="status">
                "No more invitations are mailed to this address."
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
            <p class="lead">{format!("Invitations to auctions on this site, mailed to {address}.")}</p>
            {content}
        </section>
    })
}
