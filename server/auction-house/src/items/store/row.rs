//! An item as it is stored, with its seller, its creator and its highest bid: what queries of items select,
//! from where, and how it is read.

use accounts::Person;
use iso_currency::Currency as IsoCurrency;
use rules_engine::money::Normalized;
use rules_engine::{BidForm, EnteredCount, LotNumber};

use super::outcomes::{OUTCOME_COLUMNS, OUTCOME_TABLES, OutcomeRow};
use crate::auctions::AntiSnipe;
use crate::engine::entered;
use crate::ids::{AuctionId, BidId, CurrencyId, ItemId, UserId};
use crate::images::Image;
use crate::items::format::{Format, FormatKind, PriceKind, StoredDraw, StoredFormat, Tie};
use crate::items::{EnteredPrice, HighestBid, Item, ItemTerms, LegacyPrice, Price};
use platform::db::{DbError, Json, Parsed, concatcp};
use platform::time::Moment;
use platform::token::LinkToken;

/// The columns of an [`ItemRow`], from [`TABLES`].
pub(super) const COLUMNS: &str = concatcp!(BEFORE_DESCRIPTION, "i.description", AFTER_DESCRIPTION);
/// The same with the beginning of the description, and one character more than lists show, to know whether
/// it goes on.
pub(super) const LISTED_COLUMNS: &str =
    concatcp!(BEFORE_DESCRIPTION, "substr(i.description, 1, 301)", AFTER_DESCRIPTION);

const BEFORE_DESCRIPTION: &str = concatcp!(
    OUTCOME_COLUMNS,
    ", ",
    item_columns!("i." AS "item_"),
    ", ",
    term_columns!("i." AS "item_"),
    ", s.name AS seller_name, c.name AS creator_name, "
);
const AFTER_DESCRIPTION: &str =
    " AS item_description, i.images AS item_images, i.ends_at, i.closed_for_good_at,
         i.last_sequence, i.withdrawals, b.sequence AS bid_sequence,
         i.version + i.last_sequence AS item_version,
         CASE WHEN b.created_at > i.updated_at THEN b.created_at ELSE i.updated_at END AS item_updated_at,
         b.id AS bid_id, b.bidder_id, u.name AS bidder_name, b.currency_profile_id AS bid_profile_id,
         b.amount AS bid_amount, b.representation AS bid_representation,
         b.normalized_amount AS bid_normalized, b.is_anonymous AS bid_is_anonymous";

/// What [`TABLES`] joins to the items.
pub(super) const JOINS: &str = concatcp!(
    " JOIN auctions a ON a.id = i.auction_id
         JOIN users s ON s.id = i.seller_id
         JOIN users c ON c.id = i.creator_id
         LEFT JOIN bids b ON b.auction_id = i.auction_id AND b.position = i.leading_position
         LEFT JOIN users u ON u.id = b.bidder_id
         LEFT JOIN outcomes o ON o.item_id = i.id AND o.copy = 1 AND o.number = i.outcome_number",
    OUTCOME_TABLES
);

/// Items `i` with their auctions `a`, their sellers `s`, their creators `c`, their highest standing bids `b`,
/// of bidders `u`, and the outcomes `o` in force.
pub(super) const TABLES: &str = concatcp!(" FROM items_now i", JOINS);

/// An item with its seller, its creator and its highest standing bid, as stored.
#[derive(sqlx_macros::FromRow)]
pub(super) struct ItemRow {
    item_id: ItemId,
    item_auction_id: AuctionId,
    item_lot_number: Parsed<LotNumber>,
    item_seller_id: UserId,
    seller_name: String,
    item_creator_id: UserId,
    creator_name: String,
    item_name: String,
    item_estimate: Option<String>,
    item_description: String,
    item_images: Json<Vec<Image>>,
    item_is_published: bool,
    item_starts_at: Option<Moment>,
    item_end_date: Option<Moment>,
    ends_at: Option<Moment>,
    closed_for_good_at: Option<Moment>,
    #[sqlx(flatten)]
    price: PriceRow,
    item_anti_snipe_enabled: bool,
    item_anti_snipe_threshold_seconds: i64,
    item_anti_snipe_extension_seconds: i64,
    #[sqlx(flatten)]
    format: FormatRow,
    item_seed: Option<LinkToken>,
    last_sequence: i64,
    withdrawals: i64,
    item_version: i64,
    item_created_at: Moment,
    item_updated_at: Moment,
    #[sqlx(flatten)]
    bid: BidRow,
    #[sqlx(flatten)]
    outcome: OutcomeRow,
}

#[derive(sqlx_macros::FromRow)]
struct PriceRow {
    item_currency_code: Option<Parsed<IsoCurrency>>,
    item_starting_bid: Option<Parsed<Normalized>>,
    item_min_bid_increment: Option<Parsed<Normalized>>,
    item_min_bid_profile_id: Option<CurrencyId>,
    item_min_bid_constraint: Option<Json<BidForm>>,
    item_min_bid_normalized: Option<Parsed<Normalized>>,
    item_min_increment_normalized: Option<Parsed<Normalized>>,
}

#[derive(sqlx_macros::FromRow)]
struct FormatRow {
    item_format: FormatKind,
    item_copies: i64,
    item_price_kind: Option<PriceKind>,
    item_plus: Option<Parsed<Normalized>>,
    item_tie: Option<Tie>,
    item_ticket_profile_id: Option<CurrencyId>,
    item_draw: Option<Json<StoredDraw>>,
}

impl FormatRow {
    fn read(self, item_id: ItemId) -> Result<Format, DbError> {
        let format = StoredFormat {
            kind: self.item_format,
            copies: self.item_copies,
            price: self.item_price_kind,
            plus: self.item_plus.map(|plus| plus.0),
            tie: self.item_tie,
            ticket_currency: self.item_ticket_profile_id,
            draw: self.item_draw.map(|draw| draw.0),
        };
        Format::try_from(format).map_err(|column| DbError::missing("items", column, item_id))
    }
}

#[derive(sqlx_macros::FromRow)]
struct BidRow {
    bid_id: Option<BidId>,
    bid_sequence: Option<i64>,
    bidder_id: Option<UserId>,
    bidder_name: Option<String>,
    bid_profile_id: Option<CurrencyId>,
    bid_amount: Option<String>,
    bid_representation: Option<Json<Vec<EnteredCount>>>,
    bid_normalized: Option<Parsed<Normalized>>,
    bid_is_anonymous: Option<bool>,
}

impl TryFrom<ItemRow> for Item {
    type Error = DbError;

    fn try_from(row: ItemRow) -> Result<Self, DbError> {
        let id = row.item_id;
        Ok(Self {
            id,
            auction_id: row.item_auction_id,
            lot_number: row.item_lot_number.0,
            seller: Person { id: row.item_seller_id, name: row.seller_name },
            creator: Person { id: row.item_creator_id, name: row.creator_name },
            terms: ItemTerms {
                name: row.item_name,
                description: row.item_description,
                estimate: row.item_estimate,
                is_published: row.item_is_published,
                starts_at: row.item_starts_at,
                own_end: row.item_end_date,
                price: row.price.read(id)?,
                format: row.format.read(id)?,
                anti_snipe: AntiSnipe {
                    enabled: row.item_anti_snipe_enabled,
                    threshold_seconds: row.item_anti_snipe_threshold_seconds,
                    extension_seconds: row.item_anti_snipe_extension_seconds,
                },
            },
            images: row.item_images.0,
            ends_at: row.ends_at,
            closed_at: row.closed_for_good_at,
            last_sequence: row.last_sequence,
            withdrawals: row.withdrawals,
            highest_bid: row.bid.read(id)?,
            outcome: row.outcome.read(id)?,
            further_outcomes: Vec::new(),
            tickets: None,
            seed: row.item_seed,
            version: row.item_version,
            created_at: row.item_created_at,
            updated_at: row.item_updated_at,
        })
    }
}

impl PriceRow {
    fn read(self, item_id: ItemId) -> Result<Price, DbError> {
        let lacks = |column: &str| DbError::missing("items", column, item_id);
        let amount = |parsed: Option<Parsed<Normalized>>| parsed.map(|amount| amount.0);
        let legacy = self.item_currency_code.map(|currency| LegacyPrice {
            currency: currency.0,
            starting_bid: amount(self.item_starting_bid),
            min_bid_increment: amount(self.item_min_bid_increment),
        });
        let minimum = match self.item_min_bid_profile_id {
            None => None,
            Some(currency_id) => Some(EnteredPrice {
                currency_id,
                entered: self.item_min_bid_constraint.ok_or_else(|| lacks("min_bid_constraint"))?.0,
                normalized: self.item_min_bid_normalized.ok_or_else(|| lacks("min_bid_normalized"))?.0,
            }),
        };
        Ok(Price { legacy, minimum, min_increment: amount(self.item_min_increment_normalized) })
    }
}

impl BidRow {
    /// The highest standing bid of the item, if it has one.
    fn read(self, item_id: ItemId) -> Result<Option<HighestBid>, DbError> {
        let Some(id) = self.bid_id else { return Ok(None) };
        let lacks = |column: &str| DbError::missing("bids", column, item_id);
        Ok(Some(HighestBid {
            id,
            sequence: self.bid_sequence.ok_or_else(|| lacks("sequence"))?,
            bidder: Person {
                id: self.bidder_id.ok_or_else(|| lacks("bidder_id"))?,
                name: self.bidder_name.unwrap_or_else(|| Person::DELETED.to_owned()),
            },
            currency_id: self.bid_profile_id,
            entered: entered(self.bid_amount.map(Into::into), self.bid_representation),
            normalized: self.bid_normalized.ok_or_else(|| lacks("normalized_amount"))?.0,
            is_anonymous: self.bid_is_anonymous.ok_or_else(|| lacks("is_anonymous"))?,
        }))
    }
}
