//! The live part of an item's page: the highest bid, the form, the chart and the list of bids. One island, so that they
//! share one board.

use leptos::either::Either;
use leptos::prelude::*;
use serde::{Deserialize, Serialize};

use crate::components::moment::date_and_time;
use crate::components::time_left::TimeLeft;
use crate::live::board::LiveBoard;
use crate::live::clock;
use crate::model::{BidBoard, Bidding, ItemStatus};
use crate::pages::items::bid_form::PlaceBidForm;
use crate::pages::items::board::{BidList, Highest, sign_in_link};
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
    let LiveItemState { board, bidding, initial, now } = state;
    let now = clock::running(now);
    let live = LiveBoard::new(board);
    let open = Memo::new(move |_| live.board.with(BidBoard::is_open));
    let end = move || match (open.get(), live.board.with(|board| board.ends_at)) {
        (true, Some(end)) => Either::Left(view! { <TimeLeft ends_at=end open now /> }),
        _ => Either::Right(live.board.with(|board| end_in_words(board, now.get_untracked()))),
    };
    // A chart that appears with the second bid is below the list, so that nothing moves.
    let has_chart = live.board.with_untracked(|board| board.bid_count > 1);
    let chart = move || view! { <PriceChart live /> };
    view! {
        <div class="item-grid">
            <section class="bid-panel" aria-label="Bidding">
                <div class="bid-panel-end">
                    {end}
                </div>
                <Highest live />
                <BidSection bidding initial live open />
            </section>
            <div class="item-about">{children()}</div>
            <div class="item-board">
                {has_chart.then(chart)}
                <BidList live now />
                {(!has_chart).then(chart)}
            </div>
        </div>
    }
}

/// The end of an item that is not open, or has none. A closed one may have been closed before its end.
fn end_in_words(board: &BidBoard, now: i64) -> String {
    match (board.status, board.ends_at) {
        (ItemStatus::Closed, Some(end)) if end <= now => format!("Ended {}", date_and_time(end)),
        (ItemStatus::Closed, _) => "Ended".to_owned(),
        (_, Some(end)) => format!("Ends {}", date_and_time(end)),
        (_, None) => "No end date: the owner closes it".to_owned(),
    }
}

/// The form, or why the viewer can't bid and what to do.
#[component]
fn BidSection(bidding: Bidding, initial: InitialBid, live: LiveBoard, open: Memo<bool>) -> impl IntoView {
    let sign_in = live.board.with_untracked(sign_in_link);
    let page = live.board.with_untracked(BidBoard::page);
    let was_open = open.get_untracked();
    move || match (open.get(), &bidding) {
        (true, Bidding::Open(data)) => {
            Either::Left(view! { <PlaceBidForm data=data.clone() initial=initial.clone() live /> })
        }
        (open, bidding) => {
            let status = live.board.with_untracked(|board| board.status);
            let next = match (open, bidding) {
                (true, Bidding::SignIn) => Some(("button primary", sign_in.clone(), "Sign in")),
                // The outcome is outside of the island: the next request shows it.
                (false, _) if was_open => Some(("button", page.clone(), "Show the outcome")),
                _ => None,
            };
            let next = next.map(|(class, href, text)| {
                view! {
                    <a class=class href=href>
                        {text}
                    </a>
                }
            });
            Either::Right(view! {
                <div class="bid-notice">
                    <p>{notice(status, bidding)}</p>
                    {next}
                </div>
            })
        }
    }
}

/// Why the viewer can't bid.
fn notice(status: ItemStatus, bidding: &Bidding) -> &'static str {
    match (status, bidding) {
        (ItemStatus::Draft, _) => "This is a draft. It takes bids once it is published.",
        (ItemStatus::Scheduled, _) => "Bidding has not started yet.",
        (ItemStatus::Closed, _) => "Bidding has ended.",
        (ItemStatus::Open, Bidding::SignIn) => "Sign in to bid.",
        (ItemStatus::Open, Bidding::Removed) => {
            "You were removed from this auction: only an invitation brings you back."
        }
        (ItemStatus::Open, Bidding::OwnItem) => "Your item: bids appear here live.",
        (ItemStatus::Open, Bidding::NotOpen | Bidding::Open(_)) => {
            "Bidding has started. Reload this page to bid."
        }
    }
}
