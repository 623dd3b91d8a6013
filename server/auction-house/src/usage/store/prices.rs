//! The amounts of bids, with what they are written in.

use std::collections::HashMap;

use rules_engine::money::Normalized;

use super::ledger::{LedgerRange, in_ranges, ranges};
use super::written_in::{WrittenIn, currencies_written};
use crate::base_unit::BaseUnit;
use crate::ids::{CurrencyId, ItemId};
use platform::db::{Connection, DbError, Parsed, for_each_row, query, rows};

/// The amount of a bid in base units.
#[derive(Debug, Clone)]
pub struct PricedBid {
    pub amount: Normalized,
    /// The base unit of the auction, if it has one with a name.
    pub base_unit: Option<BaseUnit>,
    /// The currency in which the bid was entered. None in a legacy auction.
    pub currency: Option<WrittenIn>,
    /// The ISO 4217 code of the item in a legacy auction.
    pub currency_code: Option<String>,
    /// The name of the clerk who placed the bid for its bidder.
    pub placed_by: Option<String>,
}

#[derive(sqlx_macros::FromRow)]
struct BidRow {
    item_id: ItemId,
    sequence: i64,
    normalized_amount: Parsed<Normalized>,
    currency_profile_id: Option<CurrencyId>,
    currency_code: Option<String>,
    clerk_name: Option<String>,
    base_unit_name: Option<String>,
    base_unit_plural: Option<String>,
    base_unit_symbol: Option<String>,
}

/// The prices of bids, which are named by item and sequence. One that is not in the database is absent.
pub async fn priced_bids(
    conn: &mut Connection,
    bids: &[(ItemId, i64)],
) -> Result<HashMap<(ItemId, i64), PricedBid>, DbError> {
    if bids.is_empty() {
        return Ok(HashMap::new());
    }
    let found: Vec<BidRow> = query(in_ranges!(
        "b.item_id, b.sequence, b.normalized_amount, b.currency_profile_id, i.currency_code,
         k.name AS clerk_name, a.base_unit_name, a.base_unit_plural, a.base_unit_symbol",
        "JOIN items i ON i.id = b.item_id JOIN auctions a ON a.id = i.auction_id
         LEFT JOIN clerk_bids c ON c.item_id = b.item_id AND c.sequence = b.sequence
         LEFT JOIN users k ON k.id = c.placed_by",
        ""
    ))
    .bind(ranges(bids.iter().map(|(item_id, sequence)| LedgerRange::one(*item_id, *sequence)))?)
    .fetch_all(&mut *conn)
    .await?;
    let entered_in: Vec<CurrencyId> = found.iter().filter_map(|row| row.currency_profile_id).collect();
    let currencies = currencies_written(conn, &entered_in).await?;
    let price = |row: BidRow| {
        let (plural, symbol) = (row.base_unit_plural, row.base_unit_symbol.unwrap_or_default());
        let currency = row.currency_profile_id.and_then(|id| currencies.get(&id).cloned());
        let priced = PricedBid {
            amount: row.normalized_amount.0,
            base_unit: row.base_unit_name.map(|name| BaseUnit { name, plural, symbol }),
            currency_code: row.currency_code.filter(|_| row.currency_profile_id.is_none()),
            currency,
            placed_by: row.clerk_name,
        };
        ((row.item_id, row.sequence), priced)
    };
    Ok(found.into_iter().map(price).collect())
}

/// The currencies of the prices that items were sold for, by item, copy and number of the outcome. An outcome
/// without a price in a currency profile is absent.
pub async fn currencies_of_sales(
    conn: &mut Connection,
    items: &[ItemId],
) -> Result<HashMap<(ItemId, i64, i64), CurrencyId>, DbError> {
    if items.is_empty() {
        return Ok(HashMap::new());
    }
    let found: Vec<(ItemId, i64, i64, CurrencyId)> = query(for_each_row!(
        "SELECT o.item_id, o.copy, o.number, COALESCE(b.currency_profile_id, o.currency_profile_id) FROM",
        [item_id id],
        "JOIN outcomes o ON o.item_id = given.item_id
         LEFT JOIN bids b ON b.auction_id = o.auction_id AND b.position = o.position
         WHERE COALESCE(b.currency_profile_id, o.currency_profile_id) IS NOT NULL"
    ))
    .bind(rows(items.iter().map(|item| [item]))?)
    .fetch_all(conn)
    .await?;
    Ok(found.into_iter().map(|(item, copy, number, currency)| ((item, copy, number), currency)).collect())
}
