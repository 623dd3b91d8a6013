//! The link of an auction with its QR code, for the join mode that the auction has.

use app::components::name::Name;
use app::components::qr_code::QrCode;
use leptos::either::EitherOf4;
use leptos::prelude::*;

use crate::pages::auction_facts::AuctionGroup;
use crate::pages::members::link::JoinLink;

/// How others come into an auction.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum WayIn {
    /// Every user may join: the link is the address of the auction.
    Open(JoinLink),
    /// Like `Open`, and anyone may read it.
    Public(JoinLink),
    /// The link joins its holder.
    Secret(JoinLink),
    /// The auction has a link, which its managers pass on.
    AskManagers,
    /// The viewer invites by e-mail.
    Invite,
    /// The viewer may not invite.
    Private,
    /// The auction takes no more members.
    Closed,
}

impl WayIn {
    /// The link that the viewer passes on.
    pub fn link(&self) -> Option<&JoinLink> {
        match self {
            Self::Open(link) | Self::Public(link) | Self::Secret(link) => Some(link),
            Self::AskManagers | Self::Invite | Self::Private | Self::Closed => None,
        }
    }
}

/// `auction` is the path of the auction. `reading` is the address at which anyone may read it, unless it is
/// the way in.
#[component]
pub fn ShareWayIn(
    way_in: WayIn,
    group: Option<AuctionGroup>,
    auction: String,
    #[prop(optional_no_strip)] reading: Option<JoinLink>,
) -> impl IntoView {
    let members = format!("{auction}/members");
    let invited = match group {
        Some(_) => "Nobody else joins by a link. Invite others by their e-mail.",
        None => "This auction is private: nobody joins by a link. Invite people by their e-mail.",
    };
    let people = group.map(|AuctionGroup { name, own }| {
        view! {
            <p>
                "The people of " <Name text=name /> " are in. "
                {own.map(|own| view! { <a href=own.address>"Show the group"</a> })}
            </p>
        }
    });
    let content = match way_in {
        WayIn::Open(link) => EitherOf4::A(view! {
            <p>"This auction is open: every user of this site may join. Send its address, or show the code in the room."</p>
            <Link link id="share-link" />
        }),
        WayIn::Public(link) => EitherOf4::A(view! {
            <p>"Everyone may read this auction, and every user of this site may join. Send its address, or show the code in the room."</p>
            <Link link id="share-link" />
        }),
        WayIn::Secret(link) => EitherOf4::A(view! {
            <p>"Whoever opens this link may join as a bidder. Send it, or show the code in the room. The address of the auction itself lets nobody in."</p>
            <Link link id="share-link" />
        }),
        WayIn::AskManagers => EitherOf4::B(view! {
            <p>"This auction is joined by a link, which its owner and its admins pass on."</p>
        }),
        WayIn::Invite => EitherOf4::C(view! {
            <p>{invited}</p>
            <p class="actions">
                <a class="button primary" href=members>
                    "Invite by e-mail"
                </a>
            </p>
        }),
        WayIn::Private => {
            EitherOf4::D(view! { <p>"This auction is private. Its owner invites new members."</p> })
        }
        WayIn::Closed => EitherOf4::D(view! { <p>"This auction is closed: it takes no more members."</p> }),
    };
    let reading = reading.map(|link| {
        view! {
            <section class="share" aria-labelledby="reading">
                <h2 id="reading">"To read"</h2>
                <p>"Anyone may read this auction at its address, without an account and without the names of people."</p>
                <Link link id="share-reading" />
            </section>
        }
    });
    view! {
        <section class="share" aria-labelledby="way-in">
            <h2 id="way-in">"Way in"</h2>
            {people}
            {content}
        </section>
        {reading}
    }
}

#[component]
fn Link(link: JoinLink, id: &'static str) -> impl IntoView {
    view! {
        <div class="join-link">
            <div class="join-link-address">
                <label for=id>"Link"</label>
                <input id=id type="text" value=link.url readonly />
                <p class="actions">
                    <button class="button" type="button" data-copy=id>
                        "Copy the link"
                    </button>
                </p>
            </div>
            {link.qr.map(|qr| view! { <QrCode qr label="QR code of the link" /> })}
        </div>
    }
}
