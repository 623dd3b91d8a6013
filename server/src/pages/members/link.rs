//! The link with which others join an auction.

use app::components::qr_code::QrCode;
use app::model;
use auction_house::auctions::access::AuctionView;
use leptos::either::Either;
use leptos::prelude::*;

/// The link with which users join an auction.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct JoinLink {
    pub url: String,
    /// Absent if the address is too long for a QR code.
    pub qr: Option<model::QrCode>,
}

/// The address of the page on which others join, if there is one and the viewer may pass it on.
pub fn link_url(seen: &AuctionView, site: &str) -> Option<String> {
    seen.link().map(|token| format!("{site}/join/{}", token.as_str()))
}

/// `settings` is the page on which the owner chooses that an auction has a link.
#[component]
pub fn Link(link: Option<JoinLink>, path: String, settings: String) -> impl IntoView {
    let content = match link {
        Some(link) => Either::Left(view! { <Share link path /> }),
        None => Either::Right(view! {
            <p>
                "This auction is not joined by a link. To pass one on, choose “Anyone with the link” in the "
                <a href=settings>"settings"</a> "."
            </p>
        }),
    };
    view! {
        <section aria-labelledby="link">
            <h2 id="link">"Link"</h2>
            {content}
        </section>
    }
}

#[component]
fn Share(link: JoinLink, path: String) -> impl IntoView {
    view! {
        <p>"Whoever opens this link may join as a bidder. Send it, or show the code in the room."</p>
        <div class="join-link">
            <div class="join-link-address">
                <label for="join-link">"Link to join"</label>
                <input id="join-link" type="text" value=link.url readonly />
            </div>
            {link.qr.map(|qr| view! { <QrCode qr label="QR code of the link to join" /> })}
        </div>
        <form class="danger" method="post" action=format!("{path}/link")>
            <p>"A new link replaces this one, which then no longer works. Members stay."</p>
            <button class="button" type="submit">
                "Make a new link"
            </button>
        </form>
    }
}
