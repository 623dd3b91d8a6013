//! The live part of an item's page: the highest bid, the form, the chart and the list of bids. One island, so that they
//! share one board.

use leptos::either::{Either, EitherOf5};
use leptos::prelude::*;
use serde::{Deserialize, Serialize};

use crate::components::time_left::TimeLeft;
use crate::live::board::LiveBoard;
use crate::live::clock;
use crate::model::{BidBoard, Bidding, ItemStatus};
use crate::pages::items::bid_form::PlaceBidForm;
use crate::pages::items::board::{BidList, Highest};
use crate::pages::items::chart::PriceChart;
use crate::pages::items::form_state::InitialBid;

/// The initial state of the island.
#[derive(Debug, Deserialize)]
#[cfg_attr(feature = "ssr", derive(Serialize))]
pub struct LiveItemState {
    pub board: BidBoard,
    pub bidding: Bidding,
    /// The initial contents of the form.
    pub initial: InitialBid,
    /// The server's clock when the page was rendered.
    pub now: i64,
    /// The status when the page was rendered.
    pub status: ItemStatus,
}

/// The properties of an island must be serializable in the browser too, although nothing reads them there. This keeps the
/// code out of the bundle.
#[cfg(not(feature = "ssr"))]
impl Serialize for LiveItemState {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_unit()
    }
}

/// The children are the description of the item.
#[island]
pub fn LiveItem(state: LiveItemState, children: Children) -> impl IntoView {
    let LiveItemState { board, bidding, initial, now, status } = state;
    let now = clock::running(now);
    // Nothing happens to a draft, nor to a closed item.
    let follows = matches!(status, ItemStatus::Open | ItemStatus::Scheduled);
    let live = LiveBoard::new(board, follows);
    let open = Memo::new(move |_| live.board.with(|board| board.open));
    let ends_at = Memo::new(move |_| live.board.with(|board| board.ends_at));
    let was_open = open.get_untracked();
    let ended = Signal::derive(move || !open.get() && (was_open || status == ItemStatus::Closed));
    let page =
        live.board.with_untracked(|board| format!("/auctions/{}/items/{}", board.auction_id, board.item_id));
    view! {
        <div class="item-grid">
            <section class="bid-panel" aria-label="Bidding">
                <div class="bid-panel-end">
                    {move || match ends_at.get() {
                        Some(end) => Either::Left(view! { <TimeLeft ends_at=end open now /> }),
                        None => Either::Right(open.get().then_some("Open until the owner closes it")),
                    }}
                </div>
                <Highest live ended />
                {move || {
                    if was_open && !open.get() {
                        Either::Left(view! { <Ended page=page.clone() /> })
                    } else {
                        Either::Right(view! { <BidSection bidding=bidding.clone() initial=initial.clone() live /> })
                    }
                }}
            </section>
            <div class="item-about">{children()}</div>
            <div class="item-board">
                <PriceChart live />
                <BidList live now />
            </div>
        </div>
    }
}

/// The item was closed while its page was open. Its outcome is outside of the island: the next request shows it.
#[component]
fn Ended(page: String) -> impl IntoView {
    view! {
        <div class="bid-notice">
            <p>"Bidding has ended."</p>
            <a class="button" href=page>
                "Show the outcome"
            </a>
        </div>
    }
}

/// The form, or why the viewer can't bid and what to do.
#[component]
fn BidSection(bidding: Bidding, initial: InitialBid, live: LiveBoard) -> impl IntoView {
    let (auction_id, item_id) =
        live.board.with_untracked(|board| (board.auction_id.clone(), board.item_id.clone()));
    let open = Memo::new(move |_| live.board.with(|board| board.open));
    match bidding {
        Bidding::Open(data) => EitherOf5::A(view! { <PlaceBidForm data initial live /> }),
        Bidding::SignIn => EitherOf5::B(view! {
            <div class="bid-notice">
                <p>"Sign in to bid."</p>
                <a class="button primary" href=format!("/sign-in?next=/auctions/{auction_id}/items/{item_id}")>
                    "Sign in"
                </a>
            </div>
        }),
        Bidding::Removed => EitherOf5::C(
            view! { <p class="bid-notice">"You were removed from this auction: only an invitation brings you back."</p> },
        ),
        Bidding::OwnItem => EitherOf5::D(
            view! { <p class="bid-notice">"This is your item. Bids appear here as they are placed."</p> },
        ),
        Bidding::NotOpen => EitherOf5::E(view! {
            <p class="bid-notice">
                {move || if open.get() { "Bidding has started. Reload this page to bid." } else { "Bidding is not open." }}
            </p>
        }),
    }
}
