//! Items in SQL, each read with its creator and its highest bid.

pub mod bidding;
mod terms;
pub mod turns;

use std::collections::HashMap;

use iso_currency::Currency as IsoCurrency;
use rules_engine::money::Normalized;
use rules_engine::{BidForm, EnteredCount};

use super::{HighestBid, Item, ItemTerms, LegacyPrice, MinimumBid, Person, Price};
use crate::auctions::AntiSnipe;
use crate::auctions::access::SeenAuction;
use crate::auctions::store::AuctionRow;
use crate::clock::Moment;
use crate::db::{Connection, DbError, for_each_row, query, query_scalar, rows, stored_id};
use crate::ids::{AuctionId, CurrencyId, ItemId, UserId};
use crate::members::Role;
use crate::{accounts, auctions, members};

pub use terms::{delete, insert, refit_ends, update};

/// The columns of an [`ItemRow`], from [`tables`].
macro_rules! columns {
    () => {
        "i.id AS item_id, i.auction_id, i.creator_id, c.name AS creator_name, i.name AS item_name,
         i.description AS item_description, i.is_published, i.starts_at, i.end_date AS own_end,
         CASE WHEN a.item_end_mode = 'NONE' THEN NULL ELSE COALESCE(i.end_date, a.end_date) END AS ends_at,
         COALESCE(i.closed_at, a.closed_at) AS item_closed_at, i.currency_code, i.starting_bid,
         i.min_bid_increment, i.min_bid_profile_id, i.min_bid_constraint, i.min_bid_normalized,
         i.min_increment_normalized, i.anti_snipe_enabled, i.anti_snipe_threshold_seconds,
         i.anti_snipe_extension_seconds, COALESCE(b.sequence, 0) AS last_sequence,
         i.version + COALESCE(b.sequence, 0) AS item_version, i.created_at AS item_created_at,
         CASE WHEN b.created_at > i.updated_at THEN b.created_at ELSE i.updated_at END AS item_updated_at,
         b.id AS bid_id, b.bidder_id, u.name AS bidder_name, b.currency_profile_id AS bid_profile_id,
         b.amount AS bid_amount, b.representation AS bid_representation,
         b.normalized_amount AS bid_normalized, b.is_anonymous AS bid_is_anonymous"
    };
}

/// The sequence of the newest bid of an item `i`.
macro_rules! last_sequence {
    () => {
        "(SELECT n.sequence FROM bids n WHERE n.item_id = i.id ORDER BY n.sequence DESC LIMIT 1)"
    };
}

/// On which the newest bid `b` of an item `i` is joined, which is the highest. Its item is written so that PostgreSQL
/// looks for that bid alone, also where it does not know yet how many there are: otherwise it may read all of the item's.
macro_rules! newest_bid {
    () => {
        concat!("b.item_id = i.id || '' AND b.sequence = ", $crate::items::store::last_sequence!())
    };
}
pub(super) use {last_sequence, newest_bid};

/// Items `i` with their auctions `a`.
macro_rules! tables {
    () => {
        concat!(
            " FROM items i
             JOIN auctions a ON a.id = i.auction_id
             JOIN users c ON c.id = i.creator_id
             LEFT JOIN bids b ON ",
            newest_bid!(),
            " LEFT JOIN users u ON u.id = b.bidder_id "
        )
    };
}

#[derive(sqlx::FromRow)]
struct ItemRow {
    item_id: String,
    auction_id: String,
    creator_id: String,
    creator_name: String,
    item_name: String,
    item_description: String,
    is_published: bool,
    starts_at: Option<i64>,
    own_end: Option<i64>,
    ends_at: Option<i64>,
    item_closed_at: Option<i64>,
    #[sqlx(flatten)]
    price: PriceRow,
    anti_snipe_enabled: bool,
    anti_snipe_threshold_seconds: i64,
    anti_snipe_extension_seconds: i64,
    last_sequence: i64,
    item_version: i64,
    item_created_at: i64,
    item_updated_at: i64,
    #[sqlx(flatten)]
    bid: BidRow,
}

/// An item with its auction.
#[derive(sqlx::FromRow)]
struct ItemInAuctionRow {
    #[sqlx(flatten)]
    auction: AuctionRow,
    #[sqlx(flatten)]
    item: ItemRow,
}

#[derive(sqlx::FromRow)]
struct PriceRow {
    currency_code: Option<String>,
    starting_bid: Option<String>,
    min_bid_increment: Option<String>,
    min_bid_profile_id: Option<String>,
    min_bid_constraint: Option<String>,
    min_bid_normalized: Option<String>,
    min_increment_normalized: Option<String>,
}

#[derive(sqlx::FromRow)]
struct BidRow {
    bid_id: Option<String>,
    bidder_id: Option<String>,
    bidder_name: Option<String>,
    bid_profile_id: Option<String>,
    bid_amount: Option<String>,
    bid_representation: Option<String>,
    bid_normalized: Option<String>,
    bid_is_anonymous: Option<bool>,
}

impl ItemRow {
    fn read(self) -> Result<Item, DbError> {
        let id = self.item_id;
        let corrupt = |what: &str| DbError::Corrupt(format!("item `{id}` with a {what}"));
        let moment = |millis| Moment::from_millis(millis).ok_or_else(|| corrupt("moment out of range"));
        Ok(Item {
            auction_id: self.auction_id.parse().map_err(|_| corrupt("strange auction"))?,
            creator: Person {
                id: self.creator_id.parse().map_err(|_| corrupt("strange creator"))?,
                name: self.creator_name,
            },
            terms: ItemTerms {
                name: self.item_name,
                description: self.item_description,
                is_published: self.is_published,
                starts_at: self.starts_at.map(moment).transpose()?,
                own_end: self.own_end.map(moment).transpose()?,
                price: self.price.read().ok_or_else(|| corrupt("strange price"))?,
                anti_snipe: AntiSnipe {
                    enabled: self.anti_snipe_enabled,
                    threshold_seconds: self.anti_snipe_threshold_seconds,
                    extension_seconds: self.anti_snipe_extension_seconds,
                },
            },
            ends_at: self.ends_at.map(moment).transpose()?,
            closed_at: self.item_closed_at.map(moment).transpose()?,
            last_sequence: self.last_sequence,
            highest_bid: match self.bid.bid_id.is_some() {
                true => Some(self.bid.read().ok_or_else(|| corrupt("strange highest bid"))?),
                false => None,
            },
            version: self.item_version,
            created_at: moment(self.item_created_at)?,
            updated_at: moment(self.item_updated_at)?,
            id: id.parse().map_err(|_| corrupt("strange id"))?,
        })
    }
}

/// `None` inside where there is nothing, `None` around where there is something that can't be read.
fn amount(text: Option<&str>) -> Option<Option<Normalized>> {
    text.map(str::parse).transpose().ok()
}

impl PriceRow {
    fn read(self) -> Option<Price> {
        let legacy = match &self.currency_code {
            None => None,
            Some(code) => Some(LegacyPrice {
                currency: IsoCurrency::from_code(code)?,
                starting_bid: amount(self.starting_bid.as_deref())?,
                min_bid_increment: amount(self.min_bid_increment.as_deref())?,
            }),
        };
        let minimum = match &self.min_bid_profile_id {
            None => None,
            Some(profile_id) => Some(MinimumBid {
                currency_id: profile_id.parse().ok()?,
                entered: serde_json::from_str(self.min_bid_constraint.as_deref()?).ok()?,
                normalized: self.min_bid_normalized.as_deref()?.parse().ok()?,
            }),
        };
        let min_increment = amount(self.min_increment_normalized.as_deref())?;
        Some(Price { legacy, minimum, min_increment })
    }
}

impl BidRow {
    fn read(self) -> Option<HighestBid> {
        let counts = self.bid_representation.as_deref().map(serde_json::from_str::<Vec<EnteredCount>>);
        Some(HighestBid {
            id: self.bid_id?.parse().ok()?,
            bidder: Person {
                id: self.bidder_id?.parse().ok()?,
                name: self.bidder_name.unwrap_or_else(|| Person::DELETED.to_owned()),
            },
            currency_id: self.bid_profile_id.map(|id| id.parse()).transpose().ok()?,
            entered: BidForm {
                amount: self.bid_amount.map(Into::into),
                entered_representation: counts.transpose().ok()?,
            },
            normalized: self.bid_normalized?.parse().ok()?,
            is_anonymous: self.bid_is_anonymous?,
        })
    }
}

impl Person {
    /// What a bidder is called whose account is gone.
    pub const DELETED: &str = accounts::store::ERASED_NAME;
}

/// An item of this auction. Whether somebody may see it is not asked here.
pub async fn find(
    conn: &mut Connection,
    auction_id: AuctionId,
    item_id: ItemId,
) -> Result<Option<Item>, DbError> {
    let row: Option<ItemRow> =
        query(concat!("SELECT ", columns!(), tables!(), "WHERE i.id = $1 AND i.auction_id = $2"))
            .bind(item_id.to_string())
            .bind(auction_id.to_string())
            .fetch_optional(conn)
            .await?;
    row.map(ItemRow::read).transpose()
}

/// The same with its auction and the viewer's role in that.
pub async fn find_in_auction(
    conn: &mut Connection,
    auction_id: AuctionId,
    item_id: ItemId,
    viewer: UserId,
    now: Moment,
) -> Result<Option<(SeenAuction, Item)>, DbError> {
    let row: Option<ItemInAuctionRow> = query(concat!(
        "SELECT ",
        auctions::store::columns!(),
        ", ",
        columns!(),
        tables!(),
        "LEFT JOIN members m ON m.auction_id = a.id AND m.user_id = $2 WHERE i.id = $3 AND i.auction_id = $4"
    ))
    .bind(now.millis())
    .bind(viewer.to_string())
    .bind(item_id.to_string())
    .bind(auction_id.to_string())
    .fetch_optional(conn)
    .await?;
    row.map(|row| Ok((row.auction.read(viewer)?, row.item.read()?))).transpose()
}

/// How things stand with an item before somebody: while both numbers are the same, the item and its auction are.
#[derive(Debug, Clone, Copy)]
pub struct Standing {
    /// The auction's.
    pub revision: i64,
    /// The item's, its bids included.
    pub version: i64,
    pub role: Option<Role>,
}

/// The standing of an item of this auction before `viewer`.
pub async fn standing(
    conn: &mut Connection,
    auction_id: AuctionId,
    item_id: ItemId,
    viewer: UserId,
) -> Result<Option<Standing>, DbError> {
    let row: Option<(i64, i64, Option<String>)> = query(concat!(
        "SELECT a.revision, i.version + COALESCE(",
        last_sequence!(),
        ", 0), m.role
         FROM items i
         JOIN auctions a ON a.id = i.auction_id
         LEFT JOIN members m ON m.auction_id = a.id AND m.user_id = $1
         WHERE i.id = $2 AND i.auction_id = $3"
    ))
    .bind(viewer.to_string())
    .bind(item_id.to_string())
    .bind(auction_id.to_string())
    .fetch_optional(conn)
    .await?;
    let read = |(revision, version, role): (_, _, Option<String>)| {
        let role = role.as_deref().map(members::store::read_role).transpose()?;
        Ok(Standing { revision, version, role })
    };
    row.map(read).transpose()
}

/// Which items of an auction are listed.
#[derive(Debug, Clone, Copy)]
pub struct Listed {
    /// Everybody's drafts too, not only those of `viewer`.
    pub all_drafts: bool,
    pub viewer: UserId,
    pub after: Option<ItemId>,
    pub limit: i64,
}

/// Items of an auction in the order in which they were made.
pub async fn list(
    conn: &mut Connection,
    auction_id: AuctionId,
    listed: Listed,
) -> Result<Vec<Item>, DbError> {
    let rows: Vec<ItemRow> = query(concat!(
        "SELECT ",
        columns!(),
        tables!(),
        "WHERE i.auction_id = $1 AND (i.is_published OR i.creator_id = $2 OR $3) AND ($4 IS NULL OR i.id > $4)
         ORDER BY i.id LIMIT $5"
    ))
    .bind(auction_id.to_string())
    .bind(listed.viewer.to_string())
    .bind(listed.all_drafts)
    .bind(listed.after.map(|id| id.to_string()))
    .bind(listed.limit)
    .fetch_all(conn)
    .await?;
    rows.into_iter().map(ItemRow::read).collect()
}

/// Whether somebody leads an item that is open at `now`.
pub async fn leads_open(conn: &mut Connection, user_id: UserId, now: Moment) -> Result<bool, DbError> {
    query_scalar(concat!(
        "SELECT EXISTS (
             SELECT 1 FROM items i
             JOIN auctions a ON a.id = i.auction_id
             JOIN bids b ON ",
        newest_bid!(),
        " WHERE b.bidder_id = $1 AND i.closed_at IS NULL AND a.closed_at IS NULL
            AND (a.item_end_mode = 'NONE' OR COALESCE(i.end_date, a.end_date, $2 + 1) > $2))"
    ))
    .bind(user_id.to_string())
    .bind(now.millis())
    .fetch_one(conn)
    .await
}

/// All items of an auction.
pub async fn ids(conn: &mut Connection, auction_id: AuctionId) -> Result<Vec<ItemId>, DbError> {
    let ids: Vec<String> = query_scalar("SELECT id FROM items WHERE auction_id = $1 ORDER BY id")
        .bind(auction_id.to_string())
        .fetch_all(conn)
        .await?;
    ids.iter().map(|id| stored_id(id)).collect()
}

/// Whether any item of the auction has bids.
pub async fn any_bids(conn: &mut Connection, auction_id: AuctionId) -> Result<bool, DbError> {
    query_scalar(
        "SELECT EXISTS (SELECT 1 FROM items i JOIN bids b ON b.item_id = i.id WHERE i.auction_id = $1)",
    )
    .bind(auction_id.to_string())
    .fetch_one(conn)
    .await
}

/// Whether the minimum of any item of the auction is entered in this profile of it.
pub async fn any_minimum_in(
    conn: &mut Connection,
    auction_id: AuctionId,
    currency_id: CurrencyId,
) -> Result<bool, DbError> {
    query_scalar("SELECT EXISTS (SELECT 1 FROM items WHERE auction_id = $1 AND min_bid_profile_id = $2)")
        .bind(auction_id.to_string())
        .bind(currency_id.to_string())
        .fetch_one(conn)
        .await
}

/// Whether any item of the auction has no ISO 4217 currency, so that it has a price with profiles alone.
pub async fn any_without_iso_currency(conn: &mut Connection, auction_id: AuctionId) -> Result<bool, DbError> {
    query_scalar("SELECT EXISTS (SELECT 1 FROM items WHERE auction_id = $1 AND currency_code IS NULL)")
        .bind(auction_id.to_string())
        .fetch_one(conn)
        .await
}

/// How many items of each of these auctions are published. An auction without any is left out.
pub async fn published_counts(
    conn: &mut Connection,
    auction_ids: &[AuctionId],
) -> Result<HashMap<AuctionId, u64>, DbError> {
    let counts: Vec<(String, i64)> = query(for_each_row!(
        "SELECT i.auction_id, COUNT(*) FROM",
        "JOIN items i ON i.auction_id = given.value ->> 0 WHERE i.is_published GROUP BY i.auction_id"
    ))
    .bind(rows(auction_ids.iter().map(|id| [id]))?)
    .fetch_all(conn)
    .await?;
    let readable = |(id, count): (String, i64)| Some((id.parse().ok()?, u64::try_from(count).ok()?));
    Ok(counts.into_iter().filter_map(readable).collect())
}
