//! Copies of items in SQL, as drafts without dates.

use crate::ids::{AuctionId, CurrencyId, ItemId, UserId};
use platform::db::{BulkStatement, Connection, DbError, WriteBatch, bulk_statement, query, row};
use platform::time::Moment;
use platform::token::LinkToken;

/// What a copy does not take from its original.
#[derive(Debug, Clone)]
pub struct ItemCopy {
    pub id: ItemId,
    pub original: ItemId,
    pub auction_id: AuctionId,
    /// Also the creator.
    pub seller_id: UserId,
    pub min_bid_profile_id: Option<CurrencyId>,
    pub ticket_profile_id: Option<CurrencyId>,
    /// The seed of an item that chance may decide.
    pub seed: Option<LinkToken>,
    pub created_at: Moment,
}

/// An item to copy.
#[derive(Debug, Clone, sqlx_macros::FromRow)]
pub struct Original {
    pub id: ItemId,
    /// Its place in the natural order of lot numbers.
    pub lot_key: String,
    /// The currency profile of its minimum.
    pub min_bid_profile_id: Option<CurrencyId>,
    pub ticket_profile_id: Option<CurrencyId>,
    /// Chance may decide the item.
    pub has_seed: bool,
}

/// The items of an auction, and the bytes of their descriptions.
#[derive(Debug, Clone, Copy, Default, sqlx_macros::FromRow)]
pub struct ItemsSize {
    pub count: i64,
    total_bytes: i64,
}

impl ItemsSize {
    pub fn items(self) -> usize {
        usize::try_from(self.count).unwrap_or(0)
    }

    pub fn bytes(self) -> usize {
        usize::try_from(self.total_bytes).unwrap_or(0)
    }

    /// Average bytes of an item, at least 1.
    pub fn bytes_each(self) -> i64 {
        self.total_bytes.checked_div(self.count).unwrap_or(0).max(1)
    }
}

pub async fn size(conn: &mut Connection, auction_id: AuctionId) -> Result<ItemsSize, DbError> {
    let sql = "SELECT COUNT(*) AS count, COALESCE(SUM(octet_length(description)), 0) AS total_bytes
               FROM items WHERE auction_id = $1";
    Ok(query(sql).bind(auction_id).fetch_optional(conn).await?.unwrap_or_default())
}

/// The first items of an auction past a key of lot numbers whose numbers a copy lacks.
pub async fn lacking(
    conn: &mut Connection,
    (from, to): (AuctionId, AuctionId),
    after: &str,
    limit: i64,
) -> Result<Vec<Original>, DbError> {
    query(
        "SELECT o.id, o.lot_key, o.min_bid_profile_id, o.ticket_profile_id, (o.seed IS NOT NULL) AS has_seed FROM items o
         WHERE o.auction_id = $1 AND o.lot_key > $3
           AND NOT EXISTS (SELECT 1 FROM items c WHERE c.auction_id = $2 AND c.lot_key = o.lot_key)
         ORDER BY o.lot_key LIMIT $4",
    )
    .bind(from)
    .bind(to)
    .bind(after)
    .bind(limit)
    .fetch_all(conn)
    .await
}

pub fn insert(writes: &mut WriteBatch, copies: impl Iterator<Item = ItemCopy> + Clone) {
    const ITEMS: BulkStatement = bulk_statement!(
        concat!(
            "INSERT INTO items (
                 id, auction_id, lot_number, lot_key, lot_integer, creator_id, seller_id, name_folded, description, images,
                 is_published, min_bid_profile_id, seed, ticket_profile_id, created_at, updated_at, ",
            term_columns!(""),
            ")
             SELECT given.id, given.auction_id, o.lot_number, o.lot_key, o.lot_integer, given.seller_id, given.seller_id,
                    o.name_folded, o.description, o.images, FALSE, given.min_bid_profile_id, given.seed,
                    given.ticket_profile_id, given.created_at, given.created_at, ",
            term_columns!("o."),
            " FROM"
        ),
        [
            id uuid, original uuid, auction_id uuid, seller_id uuid, min_bid_profile_id uuid, seed text,
            ticket_profile_id uuid, created_at bigint,
        ],
        "JOIN items o ON o.id = given.original"
    );
    const TEXTS: BulkStatement = bulk_statement!(
        "INSERT INTO item_texts (auction_id, item_id, text) SELECT given.auction_id, given.id, t.text FROM",
        [id uuid, original uuid, auction_id uuid],
        "JOIN items o ON o.id = given.original
         JOIN item_texts t ON t.auction_id = o.auction_id AND t.item_id = o.id"
    );
    let item = |copy: ItemCopy| {
        row![
            copy.id,
            copy.original,
            copy.auction_id,
            copy.seller_id,
            copy.min_bid_profile_id,
            copy.seed.as_ref().map(|seed| seed.as_str().to_owned()),
            copy.ticket_profile_id,
            copy.created_at,
        ]
    };
    let text = |copy: ItemCopy| row![copy.id, copy.original, copy.auction_id];
    writes.add(ITEMS, copies.clone().map(item));
    writes.add(TEXTS, copies.map(text));
}
