//! The live part of an item's page: the highest bid, the form, the chart and the list of bids. One island, so
//! that they share one board.

use std::rc::Rc;

use leptos::either::Either;
use leptos::prelude::*;
#[cfg(feature = "ssr")]
use leptos::tachys::html::InertElement;
use rules_engine::shape::read_json;

#[cfg(not(feature = "ssr"))]
use crate::components::island_state::initial_state;
#[cfg(feature = "ssr")]
use crate::components::island_state::state_with_json;
use crate::components::moment::date_and_time;
#[cfg(feature = "ssr")]
use crate::components::moment::{ago_since, time_left_since};
use crate::components::time_left::TimeLeft;
#[cfg(feature = "ssr")]
use crate::fragments::{Fragment, WithJson, fragment};
use crate::islands::items::bid_form::PlaceBidForm;
#[cfg(feature = "ssr")]
use crate::islands::items::board::LISTED_MAX;
use crate::islands::items::board::{BidList, Highest, sign_in_link};
use crate::islands::items::chart::PriceChart;
use crate::islands::items::form_state::InitialBid;
use crate::islands::items::tab_title::follow_in_title;
use crate::live::board::LiveBoard;
use crate::live::clock;
use crate::live::follow::follow_page;
use crate::model::{BidBoard, Bidding, ItemStatus, PageTime, wire_struct};
#[cfg(feature = "ssr")]
use crate::request::request;

wire_struct! {
    /// The initial state of the island.
    #[derive(Debug)]
    #[cfg_attr(feature = "ssr", derive(serde::Serialize))]
    pub struct LiveItemState {
        pub board: BidBoard,
        pub bidding: Bidding,
        /// The initial contents of the form.
        pub initial: InitialBid,
        pub now: PageTime,
        /// How long bidding lasts after a late bid, in milliseconds. Absent if late bids do not move the end.
        pub extension: Option<i64>,
    }
}

/// The children are the description of the item.
#[island]
pub fn LiveItem(children: Children) -> impl IntoView {
    shown(children)
}

#[cfg(not(feature = "ssr"))]
fn shown(children: Children) -> impl IntoView {
    initial_state().map(|state: LiveItemState| {
        let now = state.now;
        view! { <Item state now outcome=String::new()>{children()}</Item> }
    })
}

/// The same, perhaps rendered before.
#[cfg(feature = "ssr")]
fn shown(children: Children) -> impl IntoView {
    let outcome = use_context().map(|OutcomeHtml(html)| html).unwrap_or_default();
    let now = request().now;
    let description = children().to_html();
    state_with_json().map(|state: WithJson<LiveItemState>| {
        let now = shown_since(&state.value.board, now);
        fragment(ItemFacts { state, now, description, outcome })
    })
}

/// Since when the page shows all that depends on the time as it does now: the time left, how long ago bids
/// were placed, and whether the viewer may take them back.
#[cfg(feature = "ssr")]
fn shown_since(board: &BidBoard, now: i64) -> i64 {
    let end = board.ends_at.map(|end| time_left_since(end, now));
    let listed = board.bids.iter().take(LISTED_MAX);
    let bids = listed.flat_map(|bid| [ago_since(bid.placed_at, now), BidBoard::stays_from(bid)]);
    end.into_iter().chain(bids).filter(|since| *since <= now).max().unwrap_or_default()
}

/// All that the live part of an item's page shows.
#[cfg(feature = "ssr")]
#[derive(serde::Serialize)]
struct ItemFacts {
    state: WithJson<LiveItemState>,
    /// Since when it has been shown as it is now.
    now: i64,
    description: String,
    outcome: String,
}

#[cfg(feature = "ssr")]
impl Fragment for ItemFacts {
    fn view(self) -> impl IntoView {
        let Self { state, now, description, outcome } = self;
        view! { <Item state=state.value now outcome>{InertElement::new(description)}</Item> }
    }
}

#[component]
fn Item(
    state: LiveItemState,
    now: i64,
    /// What became of the closed item. Empty in the browser, which keeps what the server has rendered.
    outcome: String,
    children: Children,
) -> impl IntoView {
    let LiveItemState { board, bidding, initial, extension, .. } = state;
    let now = clock::running(now);
    let available = match &bidding {
        Bidding::Open(data) => follow_available(data.available.clone()),
        _ => RwSignal::new(None),
    };
    let live = LiveBoard::new(board);
    let open = Memo::new(move |_| live.board.with(BidBoard::is_open));
    follow_in_title(live.board, now);
    let end = move || match (open.get(), live.board.with(|board| board.ends_at)) {
        (true, Some(end)) => Either::Left(view! { <TimeLeft ends_at=end open now /> }),
        _ => Either::Right(live.board.with(|board| end_in_words(board, now.get_untracked()))),
    };
    let extended =
        Signal::derive(move || live.board.with(|board| extended(board, extension)).unwrap_or_default());
    // A chart that appears with the second bid is below the list, so that nothing moves.
    // Sealed bids are no walk of a price.
    let (has_chart, is_sealed) =
        live.board.with_untracked(|board| (board.bid_count > 1, board.sealed.is_some()));
    let chart = move || (!is_sealed).then(|| view! { <PriceChart live /> });
    view! {
        <section class="bid-panel" aria-label="Bidding">
            <div class="bid-panel-end">
                {end}
                <p class="bid-panel-extended" role="status">
                    {extended}
                </p>
            </div>
            <Highest live />
            <BidSection bidding initial available live open />
            // `live.js` copies it here when the item closes.
            <div id="item-end" class="live" inner_html=outcome></div>
        </section>
        <div class="item-about">{children()}</div>
        <div class="item-board">
            {has_chart.then(chart)}
            <BidList live now />
            {(!has_chart).then(chart)}
        </div>
    }
}

/// What the viewer has available for the item; absent in an auction without a book.
///
/// It is not what the balance has available: that does not contain the viewer's own bid on the item, which a
/// higher one replaces. The page knows this bid from another stream, so that adding it would be wrong
/// whenever one is ahead of the other. The server says it instead. Bids on the item itself change nothing in
/// the meantime.
fn follow_available(rendered: Option<String>) -> RwSignal<Option<String>> {
    let available = RwSignal::new(rendered);
    follow_page(Rc::new(move |state| {
        if let Ok(LiveItemState { bidding: Bidding::Open(data), .. }) = read_json(state) {
            available.set(data.available);
        }
    }));
    available
}

/// The end of an item that is not open, or has none. A closed one may have been closed before its end.
pub fn end_in_words(board: &BidBoard, now: i64) -> String {
    match (board.status, board.ends_at) {
        (ItemStatus::Closed, Some(end)) if end <= now => format!("Ended {}", date_and_time(end)),
        (ItemStatus::Closed, _) => "Ended".to_owned(),
        (_, Some(end)) => format!("Ends {}", date_and_time(end)),
        (_, None) => "No end date: the owner closes it".to_owned(),
    }
}

/// The end, if a late bid has moved it. It has if bidding lasts as long after that bid as it does after a
/// late one.
fn extended(board: &BidBoard, extension: Option<i64>) -> Option<String> {
    let end = board.ends_at.filter(|_| board.is_open())?;
    let moved_by = end - extension?;
    board.bids.iter().find(|bid| bid.placed_at == moved_by)?;
    let moment = date_and_time(end);
    let (time, zone) = moment.rsplit(", ").next()?.split_at_checked("18:30".len())?;
    // Time zones differ by whole minutes.
    let seconds = end.rem_euclid(60_000) / 1_000;
    Some(format!("Extended to {time}:{seconds:02}{zone} because of a late bid."))
}

/// The form, or why the viewer can't bid and what to do.
#[component]
fn BidSection(
    bidding: Bidding,
    initial: InitialBid,
    available: RwSignal<Option<String>>,
    live: LiveBoard,
    open: Memo<bool>,
) -> impl IntoView {
    let sign_in = live.board.with_untracked(sign_in_link);
    move || match (open.get(), &bidding) {
        (true, Bidding::Open(data)) => {
            Either::Left(view! { <PlaceBidForm data=data.clone() initial=initial.clone() available live /> })
        }
        (open, bidding) => {
            let status = live.board.with_untracked(|board| board.status);
            let next = (open && matches!(bidding, Bidding::SignIn)).then(|| {
                view! {
                    <a class="button primary" href=sign_in.clone()>
                        "Sign in"
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

/// What became of the closed item, as the server renders it.
#[cfg(feature = "ssr")]
#[derive(Clone)]
pub struct OutcomeHtml(pub String);

/// Why the viewer can't bid.
fn notice(status: ItemStatus, bidding: &Bidding) -> &'static str {
    match (status, bidding) {
        (ItemStatus::Draft, _) => "This is a draft. It takes bids once it is published.",
        (ItemStatus::Scheduled, _) => "Bidding has not started yet.",
        (ItemStatus::Closed, _) => "Bidding has ended.",
        (ItemStatus::Open, Bidding::SignIn) => "Sign in to bid.",
        (ItemStatus::Open, Bidding::Outside) => "Only members of this auction can bid.",
        (ItemStatus::Open, Bidding::Removed) => {
            "You were removed from this auction: only an invitation brings you back."
        }
        (ItemStatus::Open, Bidding::OwnItem) => "This is your item: you can’t bid on it.",
        (ItemStatus::Open, Bidding::NotOpen | Bidding::Open(_)) => {
            "Bidding has started. Reload this page to bid."
        }
    }
}

#[cfg(all(test, feature = "ssr"))]
mod tests {
    use std::collections::HashSet;
    use std::sync::Arc;

    use leptos::reactive::owner::Owner;

    use super::*;
    use crate::fragments::Fragments;
    use crate::fragments::tests::zone;
    use crate::model::{BaseUnit, BidRow};

    const MINUTE: i64 = 60_000;
    const HOUR: i64 = 60 * MINUTE;

    fn bid(sequence: u64, mine: bool, placed_at: i64) -> BidRow {
        BidRow {
            sequence,
            bidder: None,
            mine,
            normalized_amount: sequence.to_string(),
            entered: sequence.to_string(),
            placed_at,
            withdrawn: None,
            by_clerk: None,
        }
    }

    fn board(ends_at: Option<i64>, bids: Vec<BidRow>) -> BidBoard {
        BidBoard {
            auction_id: "a".to_owned(),
            item_id: "i".to_owned(),
            status: ItemStatus::Open,
            ends_at,
            sold_for: None,
            bid_count: bids.len() as u64,
            base_unit: BaseUnit::default(),
            minimum_bid: None,
            viewer_id: None,
            currencies: Vec::new(),
            bids,
            earlier: Vec::new(),
            is_manager: false,
            sealed: None,
        }
    }

    fn shown(board: &BidBoard, now: i64) -> String {
        let state = WithJson::new(LiveItemState {
            board: board.clone(),
            bidding: Bidding::SignIn,
            initial: InitialBid::default(),
            now: PageTime,
            extension: None,
        });
        fragment(ItemFacts { state, now, description: String::new(), outcome: String::new() }).to_html()
    }

    #[test]
    fn what_is_shown_since_a_moment_is_what_is_shown_now() {
        let bids = vec![bid(3, true, 2 * HOUR), bid(2, false, HOUR + 7), bid(1, true, 3)];
        let boards = [
            board(Some(5 * HOUR + 123), bids.clone()),
            board(None, bids),
            board(Some(30 * HOUR), Vec::new()),
            board(None, Vec::new()),
        ];
        Owner::new_root(None).with(|| {
            provide_context(Arc::new(Fragments::default()));
            provide_context(zone("UTC"));
            for board in boards {
                let (mut shown_as, mut since) = (HashSet::new(), HashSet::new());
                for now in (2 * HOUR - MINUTE..6 * HOUR).step_by(9_973) {
                    let moment = shown_since(&board, now);
                    assert!(moment <= now, "{moment} is after {now}");
                    let html = shown(&board, now);
                    assert_eq!(shown(&board, moment), html, "{now}");
                    shown_as.insert(html);
                    since.insert(moment);
                }
                assert!(since.len() <= shown_as.len() + 1, "{} {}", since.len(), shown_as.len());
            }
        });
    }
}
