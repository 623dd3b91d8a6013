//! The live part of an item's page: the highest bid, the form, the chart and the list of bids. One island, so
//! that they share one board.

use std::rc::Rc;

use leptos::either::Either;
use leptos::prelude::*;
use rules_engine::shape::read_json;

use crate::components::island_state::initial_state;
use crate::components::moment::date_and_time;
use crate::components::time_left::TimeLeft;
use crate::islands::items::bid_form::PlaceBidForm;
use crate::islands::items::board::{BidList, Highest, sign_in_link};
use crate::islands::items::chart::PriceChart;
use crate::islands::items::form_state::InitialBid;
use crate::islands::items::tab_title::follow_in_title;
use crate::live::board::LiveBoard;
use crate::live::clock;
use crate::live::follow::follow_page;
use crate::model::{BidBoard, Bidding, ItemStatus, wire_struct};

wire_struct! {
    /// The initial state of the island.
    #[derive(Debug)]
    #[cfg_attr(feature = "ssr", derive(serde::Serialize))]
    pub struct LiveItemState {
        pub board: BidBoard,
        pub bidding: Bidding,
        /// The initial contents of the form.
        pub initial: InitialBid,
        /// The server's clock when the page was rendered.
        pub now: i64,
        /// How long bidding lasts after a late bid, in milliseconds. Absent if late bids do not move the end.
        pub extension: Option<i64>,
    }
}

/// The children are the description of the item.
#[island]
pub fn LiveItem(children: Children) -> impl IntoView {
    initial_state().map(|state| view! { <Item state>{children()}</Item> })
}

#[component]
fn Item(state: LiveItemState, children: Children) -> impl IntoView {
    let LiveItemState { board, bidding, initial, now, extension } = state;
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
            <div id="item-end" class="live" inner_html=outcome()></div>
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
#[derive(Clone)]
pub struct OutcomeHtml(pub String);

/// Empty in the browser, which keeps what the server has rendered.
fn outcome() -> String {
    let html = if cfg!(feature = "ssr") { use_context() } else { None };
    html.map(|OutcomeHtml(html)| html).unwrap_or_default()
}

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
