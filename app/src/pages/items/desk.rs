//! What is alive on an item's page: the panel with the highest bid and the form, and the bids as they come.
//! One island, so that both see the same board.

use leptos::either::{Either, EitherOf5};
use leptos::prelude::*;
use serde::{Deserialize, Serialize};

use crate::components::countdown::TimeLeft;
use crate::live::board::LiveBoard;
use crate::live::clock;
use crate::model::{BidBoard, Bidding};
use crate::pages::items::bid_form::BidForm;
use crate::pages::items::board::{BidList, Highest};
use crate::pages::items::chart::PriceChart;
use crate::pages::items::entry::Begin;

/// All that the desk begins with.
#[derive(Debug, Deserialize)]
#[cfg_attr(feature = "ssr", derive(Serialize))]
pub struct DeskState {
    pub board: BidBoard,
    pub bidding: Bidding,
    /// How the form begins.
    pub begin: Begin,
    /// The server's clock.
    pub now: i64,
}

/// An island writes its properties again in the browser, where nobody reads them: the bundle needs no code for that.
#[cfg(not(feature = "ssr"))]
impl Serialize for DeskState {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_unit()
    }
}

/// The children tell what the item is.
#[island]
pub fn ItemDesk(state: DeskState, children: Children) -> impl IntoView {
    let DeskState { board, bidding, begin, now } = state;
    let now = clock::running(now);
    let live = LiveBoard::new(board);
    let open = Memo::new(move |_| live.board.with(|board| board.open));
    let ends_at = Memo::new(move |_| live.board.with(|board| board.ends_at));
    view! {
        <div class="item-grid">
            <section class="bid-panel" aria-label="Bidding">
                <div class="bid-panel-end">
                    {move || match ends_at.get() {
                        Some(end) => Either::Left(view! { <TimeLeft ends_at=end open now /> }),
                        None => Either::Right(open.get().then_some("Open until the owner closes it")),
                    }}
                </div>
                <Highest live />
                <Door bidding begin live />
            </section>
            <div class="item-about">{children()}</div>
            <div class="item-board">
                <PriceChart live />
                <BidList live now />
            </div>
        </div>
    }
}

/// The form, or why there is none and what to do.
#[component]
fn Door(bidding: Bidding, begin: Begin, live: LiveBoard) -> impl IntoView {
    let (auction_id, item_id) =
        live.board.with_untracked(|board| (board.auction_id.clone(), board.item_id.clone()));
    let open = Memo::new(move |_| live.board.with(|board| board.open));
    match bidding {
        Bidding::Open(desk) => EitherOf5::A(move || {
            if open.get() {
                Either::Left(view! { <BidForm desk=desk.clone() begin=begin.clone() live /> })
            } else {
                Either::Right(view! { <p class="bid-door">"Bidding has ended."</p> })
            }
        }),
        Bidding::SignIn => EitherOf5::B(view! {
            <div class="bid-door">
                <p>"Sign in to bid."</p>
                <a class="button primary" href=format!("/sign-in?next=/auctions/{auction_id}/items/{item_id}")>
                    "Sign in"
                </a>
            </div>
        }),
        Bidding::Join => EitherOf5::C(view! {
            <form class="bid-door" method="post" action=format!("/auctions/{auction_id}/join")>
                <p>"Join the auction to bid."</p>
                <button class="button primary" type="submit">
                    "Join this auction"
                </button>
            </form>
        }),
        Bidding::OwnItem => EitherOf5::D(
            view! { <p class="bid-door">"This is your item. You see every bid as it comes."</p> },
        ),
        Bidding::NotOpen => EitherOf5::E(view! {
            <p class="bid-door">
                {move || if open.get() { "Bidding has begun: load this page again." } else { "Bidding is not open." }}
            </p>
        }),
    }
}
