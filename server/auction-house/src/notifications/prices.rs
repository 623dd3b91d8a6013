//! The prices that notifications and mails name. They are read from the ledger when the words are made, so
//! that writing a bid does not put them into words.

use iso_currency::Currency as IsoCurrency;
use rules_engine::words::{Noun, Said, counted, with_digits};

use super::{Notification, NotificationKind};
use crate::ids::ItemId;
use crate::usage::{self, PricedBid, WrittenIn};
use platform::db::{Connection, DbError};

/// Puts the prices that notifications name into words.
pub(super) async fn with_prices(
    conn: &mut Connection,
    mut found: Vec<Notification>,
) -> Result<Vec<Notification>, DbError> {
    let bid = |one: &Notification| one.item_id.zip(one.sequence);
    let bids: Vec<(ItemId, i64)> = found.iter().filter_map(bid).collect();
    let prices = usage::priced_bids(conn, &bids).await?;
    for one in &mut found {
        one.price = bid(one).and_then(|bid| prices.get(&bid)).map(|bid| words_for(one.kind, bid));
    }
    Ok(found)
}

/// The price of a bid in words for news of this kind: `4 Gold · 3 Silver (430 Copper)`, or `12.50 EUR`.
pub async fn price_of(
    conn: &mut Connection,
    kind: NotificationKind,
    item_id: ItemId,
    sequence: i64,
) -> Result<Option<String>, DbError> {
    let found = usage::priced_bids(conn, &[(item_id, sequence)]).await?;
    Ok(found.values().next().map(|bid| words_for(kind, bid)))
}

/// The price, and for a winner who entered the winning bid, if it was not the winner.
fn words_for(kind: NotificationKind, bid: &PricedBid) -> String {
    let price = words(bid);
    match bid.placed_by.as_ref().filter(|_| kind == NotificationKind::Won) {
        Some(clerk) => format!("{price}, a bid that {clerk} entered for you"),
        None => price,
    }
}

fn words(bid: &PricedBid) -> String {
    let amount = bid.amount.to_string();
    match &bid.currency_code {
        Some(code) => {
            let digits = IsoCurrency::from_code(code).and_then(IsoCurrency::exponent).map_or(0, usize::from);
            counted(&with_digits(&amount, digits, "."), Noun { one: code, several: None })
        }
        None => {
            let unit = bid.base_unit.as_ref().and_then(|unit| unit.noun());
            let currency = bid.currency.as_ref().map(WrittenIn::named);
            Said::new(&amount, unit, currency.as_ref()).to_string()
        }
    }
}
