//! The items that come next in a hall.

use std::collections::HashMap;

use auction_house::auctions::access::AuctionView;
use auction_house::ids::ItemId;
use auction_house::items::access::{ItemView, view_items};
use auction_house::items::running_order::CalledItem;
use auction_house::items::running_order::list::next_items;
use leptos::prelude::*;
use platform::db::{Connection, DbError};
use platform::time::Moment;

use super::clerk::ClerkLot;
use super::order::{CALL, HeldLots, OrderLot};

/// The next open items of the running order, besides the one on the block.
pub async fn next(
    db: &mut Connection,
    auction: &AuctionView,
    count: usize,
    now: Moment,
) -> Result<Vec<ItemView>, DbError> {
    let found = next_items(db, auction.auction.id, auction.auction.block_item_id, count, now).await?;
    in_order(db, auction, &found).await
}

/// The items as the viewer sees them, in this order.
pub async fn in_order(
    db: &mut Connection,
    auction: &AuctionView,
    called: &[CalledItem],
) -> Result<Vec<ItemView>, DbError> {
    let ids: Vec<ItemId> = called.iter().map(|item| item.id).collect();
    let mut seen = view_items(db, auction, &ids).await?;
    let places: HashMap<ItemId, usize> = ids.into_iter().zip(0..).collect();
    seen.sort_by_key(|seen| places.get(&seen.item.id).copied());
    Ok(seen)
}

/// The link to the running order, buttons that skip or hold the next lot, and the lots that are held.
/// `auction` is its path.
#[component]
pub fn NextActions(auction: String, next: Option<ClerkLot>, held: Vec<ClerkLot>) -> impl IntoView {
    let order = format!("{auction}/clerk/order");
    let buttons = next.map(|lot| {
        [("DOWN", "Skip"), ("HOLD", "Hold")].map(|(call, label)| {
            view! {
                <button
                    id=format!("next-{call}")
                    class="button quiet"
                    type="submit"
                    name=CALL
                    value=format!("{call} {}", lot.item_id)
                >
                    {format!("{label} lot {}", lot.lot_number)}
                </button>
            }
        })
    });
    let held = held.into_iter().map(|lot| OrderLot {
        item_id: lot.item_id,
        lot_number: lot.lot_number,
        name: lot.name,
    });
    view! {
        <form
            class="next-actions"
            method="post"
            action=order
            data-order=format!("/api{auction}/running-order")
        >
            <input type="hidden" name="from" value="clerk" />
            <p class="actions">
                {buttons.map(Vec::from)}
                <a class="button quiet" href=order.clone()>
                    "Running order"
                </a>
            </p>
            <HeldLots held=held.collect() />
        </form>
    }
}

/// `37 of 120 lots, about 50 minutes`: what is done, of all, and how long the rest takes.
pub fn progress(done: usize, all: usize, minutes_left: Option<u64>) -> String {
    let lots = if all == 1 { "lot" } else { "lots" };
    let left = minutes_left.map(|minutes| format!(", about {}", duration(minutes))).unwrap_or_default();
    format!("{done} of {all} {lots}{left}")
}

/// A time that is no more exact than an estimate.
fn duration(minutes: u64) -> String {
    let step = match minutes {
        0..=10 => 1,
        11..=60 => 5,
        _ => 10,
    };
    let minutes = minutes.div_ceil(step).max(1).saturating_mul(step);
    let plural = |number: u64, word: &str| format!("{number} {word}{}", if number == 1 { "" } else { "s" });
    match (minutes / 60, minutes % 60) {
        (0, minutes) => plural(minutes, "minute"),
        (hours, 0) => plural(hours, "hour"),
        (hours, minutes) => format!("{} {}", plural(hours, "hour"), plural(minutes, "minute")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn progress_is_in_words() {
        assert_eq!(progress(0, 2, None), "0 of 2 lots");
        assert_eq!(progress(0, 1, Some(1)), "0 of 1 lot, about 1 minute");
        assert_eq!(progress(37, 120, Some(48)), "37 of 120 lots, about 50 minutes");
        assert_eq!(progress(1, 9, Some(7)), "1 of 9 lots, about 7 minutes");
        assert_eq!(progress(1, 9, Some(59)), "1 of 9 lots, about 1 hour");
        assert_eq!(progress(1, 9, Some(125)), "1 of 9 lots, about 2 hours 10 minutes");
    }
}
