//! Items as their sellers make, change and remove them.

use rules_engine::money::Normalized;

use crate::auctions::{self, Auction, ItemEndMode};
use crate::items::{ITEMS_MAX, Item, folded};
use platform::db::{self, Columns, DbError, Transaction, columns, json, query};
use platform::time::Moment;

/// The columns that a change of an item writes. What its bids have changed stays.
fn changing(item: &Item) -> Result<Columns, DbError> {
    let terms = &item.terms;
    let (legacy, minimum) = (terms.price.legacy.as_ref(), terms.price.minimum.as_ref());
    let text = |amount: Normalized| amount.to_string();
    Ok(columns! {
        lot_number: item.lot_number,
        seller_id: item.seller.id,
        name: &terms.name,
        name_folded: folded(&terms.name),
        description: &terms.description,
        description_folded: folded(&terms.description),
        images: json(&item.images)?,
        is_published: terms.is_published,
        starts_at: terms.starts_at,
        end_date: terms.own_end,
        currency_code: legacy.map(|legacy| legacy.currency.code()),
        starting_bid: legacy.and_then(|legacy| legacy.starting_bid).map(text),
        min_bid_increment: legacy.and_then(|legacy| legacy.min_bid_increment).map(text),
        min_bid_profile_id: minimum.map(|minimum| minimum.currency_id),
        min_bid_constraint: minimum.map(|minimum| json(&minimum.entered)).transpose()?,
        min_bid_normalized: minimum.map(|minimum| text(minimum.normalized)),
        min_increment_normalized: terms.price.min_increment.map(text),
        anti_snipe_enabled: terms.anti_snipe.enabled,
        anti_snipe_threshold_seconds: terms.anti_snipe.threshold_seconds,
        anti_snipe_extension_seconds: terms.anti_snipe.extension_seconds,
        updated_at: item.updated_at,
    })
}

/// Adds an item without bids, to the count of its auction too.
pub async fn insert(conn: &mut Transaction, item: &Item) -> Result<(), DbError> {
    let mut columns = columns! {
        id: item.id,
        auction_id: item.auction_id,
        creator_id: item.creator.id,
        version: item.version,
        created_at: item.created_at,
    };
    columns.extend(changing(item)?);
    db::insert(conn, "items", columns).await?;
    count(conn, item, None).await
}

/// Writes the terms of an item, and raises the version of the row, which is the version that clients see without its bids.
pub async fn update(conn: &mut Transaction, had: &Item, item: &Item) -> Result<(), DbError> {
    let mut columns = changing(item)?;
    columns.extend(columns! { version: item.version - item.last_sequence + 1 });
    db::update(conn, "items", item.id, columns).await?;
    count(conn, item, Some(had)).await
}

/// Removes an item without bids.
pub async fn delete(conn: &mut Transaction, item: &Item) -> Result<(), DbError> {
    query("DELETE FROM items WHERE id = $1").bind(item.id).execute(&mut *conn).await?;
    auctions::store::add_items(conn, item.auction_id, -1, ITEMS_MAX).await?;
    let hidden = -i64::from(item.terms.is_published);
    auctions::store::add_published(conn, item.auction_id, hidden).await
}

/// Keeps the count of the auction's published items.
async fn count(conn: &mut Transaction, item: &Item, had: Option<&Item>) -> Result<(), DbError> {
    let published = |item: &Item| i64::from(item.terms.is_published);
    match published(item) - had.map_or(0, published) {
        0 => Ok(()),
        more => auctions::store::add_published(conn, item.auction_id, more).await,
    }
}

/// Adjusts the ends of an auction's open items to the end and the mode that it has from now on: an own end goes where the
/// auction grants none, or none so late.
pub async fn adjust_ends(conn: &mut Transaction, auction: &Auction, now: Moment) -> Result<(), DbError> {
    query(
        "UPDATE items SET end_date = NULL, version = version + 1, updated_at = $2
         WHERE auction_id = $1 AND closed_at IS NULL AND end_date IS NOT NULL AND ($3 OR end_date > $4)",
    )
    .bind(auction.id)
    .bind(now)
    .bind(auction.terms.item_end_mode != ItemEndMode::Custom)
    .bind(auction.terms.end_date)
    .execute(conn)
    .await?;
    Ok(())
}
