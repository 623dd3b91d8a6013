//! Copies of items in SQL, as drafts without dates.

use crate::ids::{AuctionId, CurrencyId, ItemId, UserId};
use platform::db::{BulkStatement, Connection, DbError, WriteBatch, bulk_statement, query, row};
use platform::time::Moment;

/// What a copy does not take from its original.
#[derive(Debug, Clone, Copy)]
pub struct ItemCopy {
    pub id: ItemId,
    pub original: ItemId,
    pub auction_id: AuctionId,
    /// Also the creator.
    pub seller_id: UserId,
    pub min_bid_profile_id: Option<CurrencyId>,
    pub created_at: Moment,
}

/// The items of an auction by lot number, with the currency profiles of their minimums.
pub async fn originals(
    conn: &mut Connection,
    auction_id: AuctionId,
) -> Result<Vec<(ItemId, Option<CurrencyId>)>, DbError> {
    query("SELECT id, min_bid_profile_id FROM items WHERE auction_id = $1 ORDER BY lot_number")
        .bind(auction_id)
        .fetch_all(conn)
        .await
}

pub fn insert(writes: &mut WriteBatch, copies: impl Iterator<Item = ItemCopy>) {
    const STATEMENT: BulkStatement = bulk_statement!(
        "INSERT INTO items (
             id, auction_id, lot_number, creator_id, seller_id, name, name_folded, description, description_folded,
             images, is_published, currency_code, starting_bid, min_bid_increment, min_bid_profile_id, min_bid_constraint,
             min_bid_normalized, min_increment_normalized, anti_snipe_enabled, anti_snipe_threshold_seconds,
             anti_snipe_extension_seconds, created_at, updated_at)
         SELECT given.id, given.auction_id, o.lot_number, given.seller_id, given.seller_id, o.name, o.name_folded,
                o.description, o.description_folded, o.images, FALSE, o.currency_code, o.starting_bid, o.min_bid_increment,
                given.min_bid_profile_id, o.min_bid_constraint, o.min_bid_normalized, o.min_increment_normalized,
                o.anti_snipe_enabled, o.anti_snipe_threshold_seconds, o.anti_snipe_extension_seconds,
                given.created_at, given.created_at
         FROM",
        [
            id uuid, original uuid, auction_id uuid, seller_id uuid, min_bid_profile_id uuid, created_at bigint,
        ],
        "JOIN items o ON o.id = given.original"
    );
    writes.add(
        STATEMENT,
        copies.map(|copy| {
            row![
                copy.id,
                copy.original,
                copy.auction_id,
                copy.seller_id,
                copy.min_bid_profile_id,
                copy.created_at,
            ]
        }),
    );
}
