//! `/no-invitations/{token}`: ends mails with invitations to an address, without an account.

use leptos::prelude::*;

use super::stop_mails::StopMails;
use crate::components::page_title::PageTitle;
use crate::html::{Html, html};

const TITLE: &str = "No more invitations";

/// `address` is the one that gets no more invitations.
pub fn no_invitations_page(address: String) -> Html {
    html(view! {
        <PageTitle text=TITLE />
        <section class="form-page">
            <h1>{TITLE}</h1>
            <p class="lead">{format!("Invitations to auctions on this site, mailed to {address}.")}</p>
            <StopMails done="No more invitations are mailed to this address." />
        </section>
    })
}
