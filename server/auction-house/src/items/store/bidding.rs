//! Items for their bids: many at once, and no more of each than a bid needs.

use std::collections::HashMap;

use iso_currency::Currency as IsoCurrency;
use rules_engine::ItemTerms;
use rules_engine::money::Normalized;

use crate::auctions::AntiSnipe;
use crate::ids::{AuctionId, BookId, CurrencyId, ItemId, UserId};
use crate::items::LegacyPrice;
use crate::items::bidding::{BidItem, LeadingBid};
use crate::items::format::{Format, FormatKind, PriceKind, StoredDraw, StoredFormat, Tie};
use platform::db::{
    BulkStatement, Connection, DbError, Json, WriteBatch, bulk_statement, for_each_row, query, row, rows,
};
use platform::time::Moment;
use platform::token::LinkToken;

#[derive(sqlx_macros::FromRow)]
struct BidItemRow {
    id: ItemId,
    auction_id: AuctionId,
    book_id: Option<BookId>,
    has_group: bool,
    is_free: bool,
    creator_id: UserId,
    seller_id: UserId,
    is_published: bool,
    starts_at: Option<Moment>,
    ends_at: Option<Moment>,
    sale_ends_at: Option<Moment>,
    closed_at: Option<Moment>,
    currency_code: Option<String>,
    starting_bid: Option<String>,
    min_bid_increment: Option<String>,
    min_bid_normalized: Option<String>,
    min_increment_normalized: Option<String>,
    anti_snipe_enabled: bool,
    anti_snipe_threshold_seconds: i64,
    anti_snipe_extension_seconds: i64,
    format: FormatKind,
    copies: i64,
    price_kind: Option<PriceKind>,
    plus: Option<String>,
    tie: Option<Tie>,
    seed: Option<LinkToken>,
    ticket_profile_id: Option<CurrencyId>,
    draw: Option<Json<StoredDraw>>,
    version: i64,
    last_sequence: i64,
    last_position: Option<i64>,
    withdrawals: i64,
    leading_sequence: Option<i64>,
    leading_position: Option<i64>,
    leader_id: Option<UserId>,
    highest_normalized: Option<String>,
}

impl BidItemRow {
    fn read(self) -> Result<BidItem, DbError> {
        let id = self.id;
        let corrupt = |what: &str| DbError::Corrupt(format!("item `{id}` with a {what}"));
        let corrupt_without = |column: &str| DbError::missing("items", column, id);
        let amount = |text: Option<String>| -> Result<Option<Normalized>, DbError> {
            text.map(|text| text.parse().map_err(|_| corrupt("strange amount"))).transpose()
        };
        let legacy = match &self.currency_code {
            None => None,
            Some(code) => Some(LegacyPrice {
                currency: IsoCurrency::from_code(code).ok_or_else(|| corrupt("strange currency"))?,
                starting_bid: amount(self.starting_bid)?,
                min_bid_increment: amount(self.min_bid_increment)?,
            }),
        };
        let format = StoredFormat {
            kind: self.format,
            copies: self.copies,
            price: self.price_kind,
            plus: amount(self.plus)?,
            tie: self.tie,
            ticket_currency: self.ticket_profile_id,
            draw: self.draw.map(|draw| draw.0),
        };
        let place = self.leading_sequence.zip(self.leading_position);
        let leading = match (place, self.leader_id, amount(self.highest_normalized)?) {
            (Some((sequence, position)), Some(bidder_id), Some(normalized)) => {
                Some(LeadingBid { sequence, position, bidder_id, normalized })
            }
            _ => None,
        };
        Ok(BidItem {
            auction_id: self.auction_id,
            book_id: self.book_id,
            has_group: self.has_group,
            is_free: self.is_free,
            creator_id: self.creator_id,
            seller_id: self.seller_id,
            is_published: self.is_published,
            starts_at: self.starts_at,
            ends_at: self.ends_at,
            sale_ends_at: self.sale_ends_at,
            closed_at: self.closed_at,
            anti_snipe: AntiSnipe {
                enabled: self.anti_snipe_enabled,
                threshold_seconds: self.anti_snipe_threshold_seconds,
                extension_seconds: self.anti_snipe_extension_seconds,
            },
            format: Format::try_from(format).map_err(corrupt_without)?,
            seed: self.seed,
            terms: ItemTerms {
                min_bid_normalized: amount(self.min_bid_normalized)?,
                min_increment_normalized: amount(self.min_increment_normalized)?,
            },
            legacy,
            row_version: self.version,
            last_sequence: self.last_sequence,
            last_position: self.last_position,
            withdrawals: self.withdrawals,
            leading,
        })
    }
}

/// The items of `ids` that exist, each by itself readable or not.
pub async fn read(
    conn: &mut Connection,
    ids: &[ItemId],
) -> Result<HashMap<ItemId, Result<BidItem, DbError>>, DbError> {
    if ids.is_empty() {
        return Ok(HashMap::new());
    }
    let found: Vec<BidItemRow> = query(for_each_row!(
        "SELECT i.id, i.auction_id, a.book_id, (a.group_id IS NOT NULL) AS has_group, (a.join_mode = 'FREE') AS is_free,
                i.creator_id, i.seller_id, i.is_published,
                i.starts_at, i.ends_at, CASE WHEN a.item_end_mode = 'NONE' THEN a.end_date END AS sale_ends_at,
                i.closed_for_good_at AS closed_at, i.currency_code, i.starting_bid,
                i.min_bid_increment, i.min_bid_normalized, i.min_increment_normalized, i.anti_snipe_enabled,
                i.anti_snipe_threshold_seconds, i.anti_snipe_extension_seconds,
                i.format, i.copies, i.price_kind, i.plus, i.tie, i.seed, i.ticket_profile_id, i.draw, i.version, i.last_sequence, i.last_position, i.withdrawals, i.leading_sequence, i.leading_position,
                b.bidder_id AS leader_id, b.normalized_amount AS highest_normalized
         FROM",
        [id id],
        "JOIN items_now i ON i.id = given.id
         JOIN auctions a ON a.id = i.auction_id
         LEFT JOIN bids b ON b.auction_id = i.auction_id AND b.position = i.leading_position"
    ))
    .bind(rows(ids.iter().map(|id| [id]))?)
    .fetch_all(conn)
    .await?;
    Ok(found.into_iter().map(|row| (row.id, row.read())).collect())
}

/// Writes where the bids of items have led.
pub fn record_heads<'a>(writes: &mut WriteBatch, items: impl Iterator<Item = (ItemId, &'a BidItem)>) {
    const STATEMENT: BulkStatement = bulk_statement!(
        sqlite: "INSERT INTO item_heads (item_id, auction_id, last_sequence, last_position, leading_sequence,
                                         leading_position, withdrawals)
                 VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)
                 ON CONFLICT (item_id) DO UPDATE SET last_sequence = ?3, last_position = ?4, leading_sequence = ?5,
                                                     leading_position = ?6, withdrawals = ?7",
        "INSERT INTO item_heads (item_id, auction_id, last_sequence, last_position, leading_sequence,
                                 leading_position, withdrawals)
         SELECT given.* FROM",
        [
            item_id uuid, auction_id uuid, last_sequence bigint, last_position bigint, leading_sequence bigint,
            leading_position bigint, withdrawals bigint,
        ],
        "ON CONFLICT (item_id) DO UPDATE SET
             last_sequence = excluded.last_sequence, last_position = excluded.last_position,
             leading_sequence = excluded.leading_sequence, leading_position = excluded.leading_position,
             withdrawals = excluded.withdrawals"
    );
    let row = |(item_id, item): (ItemId, &BidItem)| {
        let leading = item.leading.map(|bid| (bid.sequence, bid.position)).unzip();
        row![
            item_id,
            item.auction_id,
            item.last_sequence,
            item.last_position,
            leading.0,
            leading.1,
            item.withdrawals,
        ]
    };
    writes.add(STATEMENT, items.map(row));
}

/// Gives items the ends to which their bids have moved them.
pub fn move_ends(writes: &mut WriteBatch, ends: impl Iterator<Item = (ItemId, Moment)>) {
    const STATEMENT: BulkStatement = bulk_statement!(
        "UPDATE items SET end_date = given.end_date FROM",
        [id uuid, end_date bigint],
        "WHERE items.id = given.id"
    );
    writes.add(STATEMENT, ends.map(|(id, end)| row![id, end]));
}

/// Raises the versions of items whose bids were withdrawn or whose tickets differ, and gives them the ends to
/// which that has moved them.
pub fn record_changes(
    writes: &mut WriteBatch,
    items: impl Iterator<Item = (ItemId, Option<Moment>)>,
    now: Moment,
) {
    const STATEMENT: BulkStatement = bulk_statement!(
        "UPDATE items SET end_date = COALESCE(given.end_date, items.end_date), version = items.version + 1,
                          updated_at = given.now FROM",
        [id uuid, end_date bigint, now bigint],
        "WHERE items.id = given.id"
    );
    writes.add(STATEMENT, items.map(|(id, end)| row![id, end, now]));
}

/// Up to `most` items of an auction that are not closed yet with their copies, the first by lot number, and
/// whether these are all.
pub async fn not_closed(
    conn: &mut Connection,
    auction_id: AuctionId,
    most: usize,
) -> Result<(Vec<(ItemId, i64)>, bool), DbError> {
    let mut found: Vec<(ItemId, i64)> = query(
        "SELECT id, copies FROM items WHERE auction_id = $1 AND closed_at IS NULL ORDER BY lot_key LIMIT $2",
    )
    .bind(auction_id)
    .bind(i64::try_from(most).unwrap_or(i64::MAX).saturating_add(1))
    .fetch_all(conn)
    .await?;
    let is_all = found.len() <= most;
    found.truncate(most);
    Ok((found, is_all))
}
