//! The highest bid and the list of bids.

use std::sync::Arc;

use leptos::prelude::*;

use crate::components::figures::{Figures, StaticFigures};
#[cfg(not(feature = "ssr"))]
use crate::components::moment::date_and_time;
use crate::components::moment::{ago, stamp};
use crate::components::money::{SaidValue, Value, said, says_the_same};
use crate::components::name::isolated;
#[cfg(feature = "ssr")]
use crate::fragments::{WithJson, fragment};
#[cfg(feature = "ssr")]
use crate::islands::items::bid_row_facts::BidRowFacts;
use crate::live::board::LiveBoard;
use crate::model::{BaseUnit, BidBoard, BidRow, ItemStatus};
use rules_engine::words::Said;

/// Marks forms beside the bid form, so that it is not filled with their values.
pub const SECTION: &str = "section";
/// Marks the form that takes a sealed bid back.
pub const TAKE_BACK: &str = "take-back";

/// The highest standing bid, or without one the least.
#[component]
pub fn Highest(live: LiveBoard) -> impl IntoView {
    let board = live.board;
    let unit = board.with_untracked(|board| board.base_unit.clone());
    let rendered = board.with_untracked(BidBoard::newest_sequence);
    let counts = |board: &BidBoard| board.is_open() || board.is_sold();
    let leads = Signal::derive(move || {
        board.with(|board| counts(board) && board.leading().is_some_and(|bid| bid.mine))
    });
    let outbid = Signal::derive(move || board.with(|board| counts(board) && board.is_outbid()));
    let label = Signal::derive(move || board.with(label).to_owned());
    // Two classes with one animation: it restarts when the class changes.
    let class = Signal::derive(move || {
        board.with(|board| match board.leading().map(|bid| (bid.sequence > rendered, bid.sequence % 2)) {
            None => "highest-amount none",
            Some((false, _)) => "highest-amount",
            Some((true, 0)) => "highest-amount fresh",
            Some((true, _)) => "highest-amount fresh-again",
        })
    });
    let amount = Signal::derive(move || board.with(|board| amount(board).unwrap_or_default().to_owned()));
    let no_amount = Signal::derive(move || amount.with(String::is_empty));
    let from = Signal::derive(move || {
        let opens = !no_amount.get() && board.with(|board| board.leading().is_none());
        if opens { "From " } else { "" }.to_owned()
    });
    let by = Signal::derive(move || board.with(leader_in_words));
    let terms = board.with_untracked(|board| board.sealed.as_ref().map(|sealed| sealed.terms.clone()));
    let sealed = terms.map(|terms| {
        let no_own = Signal::derive(move || {
            board.with(|board| {
                !board.is_sealed() || board.sealed.as_ref().is_none_or(|sealed| sealed.own.is_none())
            })
        });
        let take_back = board.with_untracked(|board| format!("{}/bids/own/withdraw", board.page()));
        view! {
            <p class="hint">{terms}</p>
            <form method="post" action=take_back hidden=no_own>
                <input type="hidden" name=SECTION value=TAKE_BACK />
                <button class="button quiet" type="submit">
                    "Take my bid back"
                </button>
            </form>
        }
    });
    view! {
        <div class="highest">
            // It changes with the viewer's position and at the end, not with each bid.
            <p class="highest-label" class:good=leads class:outbid=outbid role="status">
                {label}
            </p>
            <p class=class>
                <span hidden=no_amount>{from} <Value amount unit /></span>
            </p>
            <p class="highest-by">
                <Figures text=by />
            </p>
            {sealed}
        </div>
    }
}

/// The highest bid, or without one the least first bid of an item that may still get one.
pub fn amount(board: &BidBoard) -> Option<&str> {
    let minimum = board.minimum_bid.as_deref().filter(|_| board.status != ItemStatus::Closed);
    board.highest().or(minimum)
}

/// The highest bidder, and the bid as it was entered.
fn leader_in_words(board: &BidBoard) -> String {
    match board.leading() {
        Some(bid) => {
            let sold = if board.is_sold() && !bid.mine { "Sold to " } else { "" };
            match entered(bid, &said(&bid.normalized_amount, &board.base_unit)) {
                Some(entered) => format!("{sold}{} · {entered}", isolated(bidder(bid))),
                None => format!("{sold}{}", bidder(bid)),
            }
        }
        None if board.is_sealed() => sealed_in_words(board),
        None if board.is_open() => "Be the first to bid.".to_owned(),
        None => String::new(),
    }
}

/// The viewer's own sealed bid, and what happens to all of them.
fn sealed_in_words(board: &BidBoard) -> String {
    let own = board.sealed.as_ref().and_then(|sealed| sealed.own.as_ref());
    match own {
        Some(own) => format!("Your bid of {own} stands. Nobody else sees it before the end."),
        None => "Nobody sees a bid of another before the end.".to_owned(),
    }
}

/// What the amount is.
fn label(board: &BidBoard) -> &'static str {
    match (board.leading(), board.status) {
        (Some(bid), ItemStatus::Open) if bid.mine => "You lead",
        (Some(_), ItemStatus::Open) if board.is_outbid() => "You were outbid. Highest bid",
        (Some(bid), ItemStatus::Closed) if board.is_sold() && bid.mine => "You won. Hammer price",
        (Some(_), ItemStatus::Closed) if board.is_sold() && board.is_outbid() => {
            "Another bid won. Hammer price"
        }
        (Some(_), ItemStatus::Closed) if board.is_sold() => "Hammer price",
        (Some(_), _) => "Highest bid",
        (None, ItemStatus::Closed) => "Ended without a bid",
        (None, _) if board.is_sealed() => "Sealed bids",
        (None, _) => "No bids yet",
    }
}

/// The entered representation, unless it equals the normalized amount.
fn entered(bid: &BidRow, said: &Said) -> Option<String> {
    (!says_the_same(&bid.entered, said)).then(|| bid.entered.clone())
}

/// Bids in the list, at most. Another page lists all of them.
pub const LISTED_MAX: usize = 20;

/// The newest bids, newest first. Bids placed while the page is open are highlighted once.
#[component]
pub fn BidList(live: LiveBoard, #[prop(into)] now: Signal<i64>) -> impl IntoView {
    let board = live.board;
    let unit = list_unit(board.with_untracked(|board| board.base_unit.clone()));
    let rendered = board.with_untracked(BidBoard::newest_sequence);
    let listed = move || board.with(|board| board.bids.len().min(LISTED_MAX));
    let all = board.with_untracked(|board| format!("{}/bids", board.page()));
    let list = StoredValue::new(all.clone());
    let title = Signal::derive(move || count_of_bids(board.with(|board| board.bid_count)));
    let state = Signal::derive(move || live.freshness.get().in_words().to_owned());
    let none = Signal::derive(move || {
        let none = listed() == 0 && board.with(BidBoard::is_open);
        match board.with(|board| board.sealed.as_ref().map(|sealed| sealed.count)) {
            _ if !none => String::new(),
            Some(Some(1)) => "1 bid stands. It is shown after the end.".to_owned(),
            Some(Some(count)) => format!("{count} bids stand. They are shown after the end."),
            Some(None) => "Bids are shown after the end.".to_owned(),
            None => "Nobody has bid yet.".to_owned(),
        }
    });
    view! {
        <section class="bids" aria-labelledby="bids">
            <div class="section-head">
                <h2 id="bids" class="section-title">
                    {title}
                </h2>
                <p class="bids-state" role="status">
                    {state}
                </p>
            </div>
            <p class="bids-none">{none}</p>
            <ol class="bids-list" role="list" aria-labelledby="bids">
                <For
                    each=move || board.with(|board| board.bids.iter().take(LISTED_MAX).cloned().collect::<Vec<_>>())
                    key=|bid| (bid.sequence, bid.withdrawn.is_some(), bid.mine)
                    children=move |bid| {
                        let sequence = bid.sequence;
                        let path = format!("{}/{sequence}/withdraw", list.get_value());
                        let withdraw = Signal::derive(move || {
                            let may = board.with(|board| board.may_withdraw(sequence, now.get()));
                            may.then(|| path.clone())
                        });
                        view! { <Row fresh={bid.sequence > rendered} bid unit=unit.clone() now withdraw /> }
                    }
                />
            </ol>
            <p class="bids-more">
                {move || {
                    let total = board.with(|board| board.bid_count);
                    let listed = listed();
                    (board.with(|board| board.bids.len()) > listed).then(|| {
                        view! {
                            {format!("The newest {listed} bids. ")}
                            <a href=all.clone()>{format!("All {total} bids")}</a>
                        }
                    })
                }}
            </p>
        </section>
    }
}

/// The number of bids as a title.
pub fn count_of_bids(count: u64) -> String {
    match count {
        0 => "Bids".to_owned(),
        1 => "1 bid".to_owned(),
        count => format!("{count} bids"),
    }
}

/// The unit of all bids of a list.
#[cfg(not(feature = "ssr"))]
pub type ListUnit = Arc<BaseUnit>;
#[cfg(feature = "ssr")]
pub type ListUnit = WithJson<Arc<BaseUnit>>;

#[cfg(not(feature = "ssr"))]
fn list_unit(unit: BaseUnit) -> ListUnit {
    Arc::new(unit)
}

#[cfg(feature = "ssr")]
pub fn list_unit(unit: BaseUnit) -> ListUnit {
    WithJson::new(unit).shared()
}

/// One bid of a list.
#[component]
pub fn Row(
    bid: BidRow,
    fresh: bool,
    unit: ListUnit,
    now: Signal<i64>,
    /// Path of the page that withdraws the bid, if the viewer may.
    withdraw: Signal<Option<String>>,
) -> impl IntoView {
    shown(bid, fresh, unit, now, withdraw)
}

#[cfg(not(feature = "ssr"))]
fn shown(
    bid: BidRow,
    fresh: bool,
    unit: ListUnit,
    now: Signal<i64>,
    withdraw: Signal<Option<String>>,
) -> impl IntoView {
    let placed_at = bid.placed_at;
    let ago = Signal::derive(move || ago(now.get() - placed_at));
    row(RowParts { bid, fresh, unit, placed_at: date_and_time(placed_at), ago, withdraw })
}

/// The same, perhaps rendered before.
#[cfg(feature = "ssr")]
fn shown(
    bid: BidRow,
    fresh: bool,
    unit: ListUnit,
    now: Signal<i64>,
    withdraw: Signal<Option<String>>,
) -> impl IntoView {
    let (ago, withdraw) = (ago(now.get_untracked() - bid.placed_at), withdraw.get_untracked());
    fragment(BidRowFacts { bid, fresh, unit, ago, withdraw })
}

/// A bid of a list with what stands beside it.
pub struct RowParts {
    pub bid: BidRow,
    pub fresh: bool,
    pub unit: Arc<BaseUnit>,
    /// When it was placed, in words.
    pub placed_at: String,
    pub ago: Signal<String>,
    pub withdraw: Signal<Option<String>>,
}

/// The row of a bid.
pub fn row(RowParts { bid, fresh, unit, placed_at, ago, withdraw }: RowParts) -> impl IntoView {
    let class = match (&bid.withdrawn, fresh) {
        (Some(_), _) => "bid withdrawn",
        (None, true) => "bid fresh",
        (None, false) => "bid",
    };
    let said = said(&bid.normalized_amount, &unit);
    let entered = entered(&bid, &said);
    let who = if bid.mine { "bidder mine" } else { "bidder" };
    let note = |words: Option<String>| words.map(|words| view! { <p class="bid-note">{words}</p> });
    let notes = (note(bid.by_clerk.clone()), note(bid.withdrawn.clone()));
    view! {
        <li class=class>
            <span class="bid-amount">
                <SaidValue said amount=bid.normalized_amount.clone() unit />
            </span>
            <span class="bid-entered">{entered.map(|entered| view! { <StaticFigures text=entered /> })}</span>
            <span class="bid-by">
                <bdi class=who>{bidder(&bid).to_owned()}</bdi>
            </span>
            <time class="bid-when" datetime=stamp(bid.placed_at) title=placed_at>
                {ago}
            </time>
            {notes}
            {move || withdraw.get().map(|path| view! { <a class="bid-withdraw" href=path>"Withdraw"</a> })}
        </li>
    }
}

/// The name of the bidder, as the viewer may know it.
fn bidder(bid: &BidRow) -> &str {
    if bid.mine { "You" } else { bid.bidder.as_deref().unwrap_or("A bidder") }
}

/// Link to the sign-in page that leads back to the item.
pub fn sign_in_link(board: &BidBoard) -> String {
    format!("/sign-in?next={}", board.page())
}
