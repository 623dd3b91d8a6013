//! Questions about the currencies of an auction: what is entered in a currency profile, and whether items
//! have a price without one.

use std::collections::HashSet;

use crate::ids::{AuctionId, CurrencyId};
use platform::db::{Connection, DbError, Json, query_scalar};
use rules_engine::RuleParams;

/// The bids in an auction, and the corrections of its outcomes, that are entered in a currency profile of it.
/// The query scans all bids of the auction.
macro_rules! bids_in_currency {
    ($auction_id:literal, $currency_id:literal) => {
        concat!(
            "SELECT 1 FROM bids b WHERE b.auction_id = ",
            $auction_id,
            " AND b.currency_profile_id = ",
            $currency_id,
            " UNION ALL SELECT 1 FROM sealed_bids s WHERE s.auction_id = ",
            $auction_id,
            " AND s.currency_profile_id = ",
            $currency_id,
            " UNION ALL SELECT 1 FROM outcomes o WHERE o.auction_id = ",
            $auction_id,
            " AND o.currency_profile_id = ",
            $currency_id
        )
    };
}

/// Whether any bid in the auction is entered in this currency profile of it.
pub async fn currency_has_bids(
    conn: &mut Connection,
    auction_id: AuctionId,
    currency_id: CurrencyId,
) -> Result<bool, DbError> {
    query_scalar(concat!("SELECT EXISTS (", bids_in_currency!("$1", "$2"), ")"))
        .bind(auction_id)
        .bind(currency_id)
        .fetch_one(conn)
        .await
}

/// Whether a price of any item of the auction, its minimum or that of a ticket, is entered in this currency
/// profile of it.
pub async fn currency_in_price(
    conn: &mut Connection,
    auction_id: AuctionId,
    currency_id: CurrencyId,
) -> Result<bool, DbError> {
    query_scalar(
        "SELECT EXISTS (SELECT 1 FROM items
                  WHERE auction_id = $1 AND (min_bid_profile_id = $2 OR ticket_profile_id = $2))",
    )
    .bind(auction_id)
    .bind(currency_id)
    .fetch_one(conn)
    .await
}

/// The currency profiles of an auction that a bid or a price of an item is entered in.
pub async fn currencies_in_use(
    conn: &mut Connection,
    auction_id: AuctionId,
) -> Result<HashSet<CurrencyId>, DbError> {
    let ids: Vec<CurrencyId> = query_scalar(concat!(
        "SELECT c.id FROM currency_profiles c
         WHERE c.auction_id = $1
           AND (EXISTS (",
        bids_in_currency!("$1", "c.id"),
        ") OR EXISTS (SELECT 1 FROM items i WHERE i.auction_id = $1
                            AND (i.min_bid_profile_id = c.id OR i.ticket_profile_id = c.id)))"
    ))
    .bind(auction_id)
    .fetch_all(conn)
    .await?;
    Ok(ids.into_iter().collect())
}

/// Whether any rule of the auction is for this currency profile alone.
pub async fn has_rules(
    conn: &mut Connection,
    auction_id: AuctionId,
    currency_id: CurrencyId,
) -> Result<bool, DbError> {
    let sql =
        "SELECT EXISTS (SELECT 1 FROM currency_rules WHERE auction_id = $1 AND currency_profile_id = $2)";
    query_scalar(sql).bind(auction_id).bind(currency_id).fetch_one(conn).await
}

/// The codes of the profile's denominations that rules name.
pub async fn denominations_in_rules(
    conn: &mut Connection,
    auction_id: AuctionId,
    currency_id: CurrencyId,
) -> Result<HashSet<String>, DbError> {
    let params: Vec<Json<RuleParams>> =
        query_scalar("SELECT params FROM currency_rules WHERE auction_id = $1 AND currency_profile_id = $2")
            .bind(auction_id)
            .bind(currency_id)
            .fetch_all(conn)
            .await?;
    Ok(params.into_iter().filter_map(|params| params.0.denomination).collect())
}

/// Whether any item of the auction has no ISO 4217 currency, or can't be paid in one because the auction has
/// a book, so that only currency profiles give it a price.
pub async fn items_lack_iso_currency(conn: &mut Connection, auction_id: AuctionId) -> Result<bool, DbError> {
    query_scalar(
        "SELECT EXISTS (SELECT 1 FROM items JOIN auctions ON auctions.id = items.auction_id \
         WHERE items.auction_id = $1 AND (items.currency_code IS NULL OR auctions.book_id IS NOT NULL))",
    )
    .bind(auction_id)
    .fetch_one(conn)
    .await
}

/// Whether the auction has items, and no currency profile.
pub async fn has_items_in_iso_currencies(
    conn: &mut Connection,
    auction_id: AuctionId,
) -> Result<bool, DbError> {
    query_scalar(
        "SELECT EXISTS (SELECT 1 FROM items WHERE auction_id = $1) \
         AND NOT EXISTS (SELECT 1 FROM currency_profiles WHERE auction_id = $1)",
    )
    .bind(auction_id)
    .fetch_one(conn)
    .await
}
