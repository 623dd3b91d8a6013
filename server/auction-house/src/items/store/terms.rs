//! Items as their sellers make, change and remove them.

use rules_engine::money::Normalized;

use crate::context::AuctionEnds;
use crate::ids::{CurrencyId, ItemId};
use crate::items::{Item, Price};
use platform::db::{Connection, DbError, json, query};
use platform::time::Moment;

/// Adds an item without bids.
pub async fn insert(conn: &mut Connection, item: &Item) -> Result<(), DbError> {
    let terms = &item.terms;
    let price = PriceColumns::of(&terms.price)?;
    query(
        "INSERT INTO items (id, auction_id, creator_id, name, description, is_published, starts_at, end_date,
                            currency_code, starting_bid, min_bid_increment, min_bid_profile_id,
                            min_bid_constraint, min_bid_normalized, min_increment_normalized,
                            anti_snipe_enabled, anti_snipe_threshold_seconds, anti_snipe_extension_seconds,
                            version, created_at, updated_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21)",
    )
    .bind(item.id)
    .bind(item.auction_id)
    .bind(item.creator.id)
    .bind(&terms.name)
    .bind(&terms.description)
    .bind(terms.is_published)
    .bind(terms.starts_at)
    .bind(terms.own_end)
    .bind(price.currency_code)
    .bind(price.starting_bid)
    .bind(price.min_bid_increment)
    .bind(price.min_bid_profile_id)
    .bind(price.min_bid_constraint)
    .bind(price.min_bid_normalized)
    .bind(price.min_increment_normalized)
    .bind(terms.anti_snipe.enabled)
    .bind(terms.anti_snipe.threshold_seconds)
    .bind(terms.anti_snipe.extension_seconds)
    .bind(item.version)
    .bind(item.created_at)
    .bind(item.updated_at)
    .execute(conn)
    .await?;
    Ok(())
}

/// Brings an item to the terms that it has now. What its bids have made of it stays.
pub async fn update(conn: &mut Connection, item: &Item) -> Result<(), DbError> {
    let terms = &item.terms;
    let price = PriceColumns::of(&terms.price)?;
    query(
        "UPDATE items
         SET name = $2, description = $3, is_published = $4, starts_at = $5, end_date = $6, currency_code = $7,
             starting_bid = $8, min_bid_increment = $9, min_bid_profile_id = $10, min_bid_constraint = $11,
             min_bid_normalized = $12, min_increment_normalized = $13, anti_snipe_enabled = $14,
             anti_snipe_threshold_seconds = $15, anti_snipe_extension_seconds = $16, version = version + 1,
             updated_at = $17
         WHERE id = $1",
    )
    .bind(item.id)
    .bind(&terms.name)
    .bind(&terms.description)
    .bind(terms.is_published)
    .bind(terms.starts_at)
    .bind(terms.own_end)
    .bind(price.currency_code)
    .bind(price.starting_bid)
    .bind(price.min_bid_increment)
    .bind(price.min_bid_profile_id)
    .bind(price.min_bid_constraint)
    .bind(price.min_bid_normalized)
    .bind(price.min_increment_normalized)
    .bind(terms.anti_snipe.enabled)
    .bind(terms.anti_snipe.threshold_seconds)
    .bind(terms.anti_snipe.extension_seconds)
    .bind(item.updated_at)
    .execute(conn)
    .await?;
    Ok(())
}

/// Removes an item without bids.
pub async fn delete(conn: &mut Connection, item_id: ItemId) -> Result<(), DbError> {
    query("DELETE FROM items WHERE id = $1").bind(item_id).execute(conn).await?;
    Ok(())
}

/// Fits the ends of an auction's items to the end and the mode that it has from now on. What has ended by its
/// own end is closed for good, so that no other end opens it again; of what is open an own end goes where the
/// auction grants none, or none so late.
pub async fn refit_ends(conn: &mut Connection, ends: AuctionEnds, now: Moment) -> Result<(), DbError> {
    query(
        "UPDATE items SET closed_at = end_date, version = version + 1, updated_at = $2
         WHERE auction_id = $1 AND closed_at IS NULL AND end_date <= $2",
    )
    .bind(ends.auction_id)
    .bind(now)
    .execute(&mut *conn)
    .await?;
    query(
        "UPDATE items SET end_date = NULL, version = version + 1, updated_at = $2
         WHERE auction_id = $1 AND closed_at IS NULL AND end_date IS NOT NULL AND ($3 OR end_date > $4)",
    )
    .bind(ends.auction_id)
    .bind(now)
    .bind(!ends.items_may_differ)
    .bind(ends.end_date)
    .execute(conn)
    .await?;
    Ok(())
}

/// Price terms as their columns hold them.
struct PriceColumns {
    currency_code: Option<&'static str>,
    starting_bid: Option<String>,
    min_bid_increment: Option<String>,
    min_bid_profile_id: Option<CurrencyId>,
    min_bid_constraint: Option<String>,
    min_bid_normalized: Option<String>,
    min_increment_normalized: Option<String>,
}

impl PriceColumns {
    fn of(price: &Price) -> Result<Self, DbError> {
        let (legacy, minimum) = (price.legacy.as_ref(), price.minimum.as_ref());
        let text = |amount: Normalized| amount.to_string();
        let constraint = minimum.map(|minimum| json(&minimum.entered)).transpose()?;
        Ok(Self {
            currency_code: legacy.map(|legacy| legacy.currency.code()),
            starting_bid: legacy.and_then(|legacy| legacy.starting_bid).map(text),
            min_bid_increment: legacy.and_then(|legacy| legacy.min_bid_increment).map(text),
            min_bid_profile_id: minimum.map(|minimum| minimum.currency_id),
            min_bid_constraint: constraint,
            min_bid_normalized: minimum.map(|minimum| text(minimum.normalized)),
            min_increment_normalized: price.min_increment.map(text),
        })
    }
}
