//! The highest bid and the list of bids.

use leptos::either::EitherOf3;
use leptos::prelude::*;

use crate::components::figures::StaticFigures;
use crate::components::moment::{ago, date_and_time, stamp};
use crate::components::money::{StaticValue, counted, unit_word};
use crate::live::board::LiveBoard;
use crate::model::{BaseUnit, BidRow};

/// The highest standing bid, or without one the least. `ended` says that the item takes no more bids.
#[component]
pub fn Highest(live: LiveBoard, ended: Signal<bool>) -> impl IntoView {
    let board = live.board;
    let unit = board.with_untracked(|board| board.base_unit.clone());
    let minimum = board.with_untracked(|board| board.minimum_bid.clone());
    let rendered = board.with_untracked(newest);
    let label = move || match (board.with(|board| board.highest().is_none()), ended.get()) {
        (true, false) => "No bids yet",
        (true, true) => "Ended without a bid",
        // It may be sold to another bidder, or to nobody.
        (false, _) if board.with(|board| board.sold_for.as_deref() == board.highest()) => "Hammer price",
        (false, _) => "Highest bid",
    };
    view! {
        <div class="highest">
            <p class="highest-label">{label}</p>
            {move || match board.with(|board| board.leading().cloned()) {
                Some(bid) => {
                    // Two classes with one animation: it restarts when the class changes.
                    let class = match (bid.sequence > rendered, bid.sequence % 2) {
                        (false, _) => "highest-amount",
                        (true, 0) => "highest-amount fresh",
                        (true, _) => "highest-amount fresh-again",
                    };
                    EitherOf3::A(
                        view! {
                            <p class=class>
                                <StaticValue amount=bid.normalized_amount.clone() unit=unit.clone() />
                            </p>
                            <p class="highest-by">
                                <Bidder bid=bid.clone() /> " · " <StaticFigures text=bid.entered.clone() />
                            </p>
                        },
                    )
                }
                None if ended.get() => EitherOf3::C(()),
                None => {
                    let from = minimum.clone().map(|minimum| view! { "From " <StaticValue amount=minimum unit=unit.clone() /> });
                    EitherOf3::B(
                        view! {
                            <p class="highest-amount none">{from}</p>
                            <p class="highest-by">"The first bid leads."</p>
                        },
                    )
                }
            }}
        </div>
    }
}

/// Bids in the list, at most. Another page lists all of them.
const LISTED_MAX: usize = 20;

/// The newest bids, newest first. Bids placed while the page is open are highlighted once.
#[component]
pub fn BidList(live: LiveBoard, #[prop(into)] now: Signal<i64>) -> impl IntoView {
    let board = live.board;
    let unit = board.with_untracked(|board| board.base_unit.clone());
    let rendered = board.with_untracked(newest);
    let listed = move || board.with(|board| board.bids.len().min(LISTED_MAX));
    let all =
        board.with_untracked(|board| format!("/auctions/{}/items/{}/bids", board.auction_id, board.item_id));
    let list = StoredValue::new(all.clone());
    let title = move || count_of_bids(board.with(|board| board.bid_count));
    let (stale, gone) = (live.stale(), live.gone());
    let message = move || match (gone.get(), stale.get()) {
        (true, _) => Some("This item is no longer available."),
        (false, true) => Some("Not up to date: the server does not respond. Retrying…"),
        (false, false) => None,
    };
    view! {
        <section class="bids" aria-labelledby="bids">
            <div class="section-head">
                <h2 id="bids" class="section-title">
                    {title}
                </h2>
                <p class="bids-state" role="status">
                    {message}
                </p>
            </div>
            <p class="bids-none">{move || (listed() == 0).then_some("Bids appear here the moment they are placed.")}</p>
            <ol class="bids-list" role="list" aria-labelledby="bids">
                <For
                    each=move || board.with(|board| board.bids.iter().take(LISTED_MAX).cloned().collect::<Vec<_>>())
                    key=|bid| (bid.sequence, bid.withdrawn.is_some())
                    children=move |bid| {
                        let sequence = bid.sequence;
                        let may_withdraw =
                            Memo::new(move |_| board.with(|board| board.may_withdraw(sequence, now.get())));
                        let path = format!("{}/{sequence}/withdraw", list.get_value());
                        let withdraw = Signal::derive(move || may_withdraw.get().then(|| path.clone()));
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

/// One bid of a list.
#[component]
pub fn Row(
    bid: BidRow,
    fresh: bool,
    unit: BaseUnit,
    now: Signal<i64>,
    /// Path of the page that withdraws the bid, if the viewer may.
    withdraw: Signal<Option<String>>,
) -> impl IntoView {
    let class = match (&bid.withdrawn, fresh) {
        (Some(_), _) => "bid withdrawn",
        (None, true) => "bid fresh",
        (None, false) => "bid",
    };
    let placed_at = bid.placed_at;
    // The entered representation is shown unless it equals the normalized amount.
    let plain = bid.entered == counted(&bid.normalized_amount, &unit_word(&unit));
    let entered = (!plain).then(|| bid.entered.clone());
    let reason = bid.withdrawn.clone().map(|words| view! { <p class="bid-withdrawn">{words}</p> });
    view! {
        <li class=class>
            <span class="bid-amount">
                <StaticValue amount=bid.normalized_amount.clone() unit />
            </span>
            <span class="bid-entered">{entered.map(|entered| view! { <StaticFigures text=entered /> })}</span>
            <span class="bid-by">
                <Bidder bid />
            </span>
            <time class="bid-when" datetime=stamp(placed_at) title=date_and_time(placed_at)>
                {move || ago(now.get() - placed_at)}
            </time>
            {reason}
            {move || withdraw.get().map(|path| view! { <a class="bid-withdraw" href=path>"Withdraw"</a> })}
        </li>
    }
}

#[component]
fn Bidder(bid: BidRow) -> impl IntoView {
    let class = if bid.mine { "bidder mine" } else { "bidder" };
    let name = match (bid.mine, bid.bidder) {
        (true, _) => "You".to_owned(),
        (false, Some(name)) => name,
        (false, None) => "A bidder".to_owned(),
    };
    view! { <bdi class=class>{name}</bdi> }
}

fn newest(board: &crate::model::BidBoard) -> u64 {
    board.bids.first().map_or(0, |bid| bid.sequence)
}
