//! The way in, on pages that a viewer without membership reads.

use leptos::prelude::*;

use crate::components::account_links::{account_link, sign_in_link};
use crate::model::{Entrance, Guest, PublicPage};
use crate::request::request;

/// How a guest comes to bid, with the links to sign in and to register. They lead back to the page.
#[component]
pub fn GuestNotice(public: Option<PublicPage>) -> impl IntoView {
    let guest = public?.guest?;
    let request = request();
    let sign_in = (!guest.is_signed_in).then(|| {
        let address = sign_in_link(&request.path, &request.search);
        view! {
            <a class="button" href=address>
                "Sign in"
            </a>
        }
    });
    let registers = !guest.is_signed_in && guest.may_register && guest.entrance == Entrance::FirstBid;
    let register = registers.then(|| {
        view! {
            <a class="button primary" href=account_link("/register", &request.path)>
                "Register"
            </a>
        }
    });
    let actions = sign_in.map(|sign_in| view! { <div class="actions">{register} {sign_in}</div> });
    Some(view! {
        <section class="join" aria-label="Guest">
            <p>"You are reading as a guest, without the names of people. " {words(guest)}</p>
            {actions}
        </section>
    })
}

/// How the guest comes to bid.
fn words(guest: Guest) -> &'static str {
    match (guest.entrance, guest.is_signed_in) {
        (Entrance::FirstBid, _) => "To bid, you need an account here: your first bid joins the auction.",
        (Entrance::Link, false) => {
            "Bidders join with a link, which the owner of the auction has. If you are a member, sign in."
        }
        (Entrance::Link, true) => "Bidders join with a link: ask the owner of the auction for it.",
        (Entrance::Invite, false) => {
            "The owner of the auction invites its bidders. If you are a member, sign in."
        }
        (Entrance::Invite, true) => "The owner of the auction invites its bidders: ask for an invitation.",
        (Entrance::Closed, false) => "The auction is closed. If you are a member, sign in.",
        (Entrance::Closed, true) => "The auction is closed.",
    }
}
