//! An item as it is stored, with its seller, its creator and its highest bid: what queries of items select, from where, and how it is
//! read.

use accounts::Person;
use iso_currency::Currency as IsoCurrency;
use rules_engine::money::Normalized;
use rules_engine::{BidForm, EnteredCount};

use super::outcomes::OutcomeRow;
use crate::auctions::AntiSnipe;
use crate::ids::{AuctionId, BidId, CurrencyId, ItemId, UserId};
use crate::items::{HighestBid, Item, ItemTerms, LegacyPrice, MinimumBid, Price};
use platform::db::{DbError, stored_json};
use platform::time::Moment;

/// The columns of an [`ItemRow`], from [`tables`]. Lists read the beginning of a description.
macro_rules! columns {
    () => {
        columns!("i.description")
    };
    (listed) => {
        // One character more than lists show, to know whether it goes on.
        columns!("substr(i.description, 1, 301)")
    };
    ($description:literal) => {
        concat!(
            crate::items::store::outcomes::outcome_columns!(),
            ", ",
            "i.id AS item_id, i.auction_id, i.lot_number, i.seller_id, s.name AS seller_name, i.creator_id,
         c.name AS creator_name, i.name AS item_name,
         ",
            $description,
            " AS item_description, i.images AS item_images, i.is_published, i.starts_at, i.end_date AS own_end,
         i.ends_at, i.closed_for_good_at, i.currency_code, i.starting_bid,
         i.min_bid_increment, i.min_bid_profile_id, i.min_bid_constraint, i.min_bid_normalized,
         i.min_increment_normalized, i.anti_snipe_enabled, i.anti_snipe_threshold_seconds,
         i.anti_snipe_extension_seconds, COALESCE(i.last_sequence, 0) AS last_sequence,
         COALESCE(i.withdrawals, 0) AS withdrawals, b.sequence AS bid_sequence,
         i.version + COALESCE(i.last_sequence, 0) AS item_version, i.created_at AS item_created_at,
         CASE WHEN b.created_at > i.updated_at THEN b.created_at ELSE i.updated_at END AS item_updated_at,
         b.id AS bid_id, b.bidder_id, u.name AS bidder_name, b.currency_profile_id AS bid_profile_id,
         b.amount AS bid_amount, b.representation AS bid_representation,
         b.normalized_amount AS bid_normalized, b.is_anonymous AS bid_is_anonymous"
        )
    };
}

/// What [`tables`] joins to the items.
macro_rules! joins {
    () => {
        concat!(
            " JOIN auctions a ON a.id = i.auction_id
         JOIN users s ON s.id = i.seller_id
         JOIN users c ON c.id = i.creator_id
         LEFT JOIN bids b ON b.item_id = i.id AND b.sequence = i.leading_sequence
         LEFT JOIN users u ON u.id = b.bidder_id
         LEFT JOIN outcomes o ON o.item_id = i.id AND o.number = i.outcome_number",
            crate::items::store::outcomes::outcome_tables!()
        )
    };
}

/// Items `i` with their auctions `a`, their sellers `s`, their creators `c`, their highest standing bids `b`, of bidders
/// `u`, and the outcomes `o` in force.
macro_rules! tables {
    () => {
        concat!(" FROM items_now i", joins!())
    };
}

/// An item with its seller, its creator and its highest standing bid, as stored.
#[derive(sqlx_macros::FromRow)]
pub(super) struct ItemRow {
    item_id: ItemId,
    auction_id: AuctionId,
    lot_number: i64,
    seller_id: UserId,
    seller_name: String,
    creator_id: UserId,
    creator_name: String,
    item_name: String,
    item_description: String,
    item_images: String,
    is_published: bool,
    starts_at: Option<Moment>,
    own_end: Option<Moment>,
    ends_at: Option<Moment>,
    closed_for_good_at: Option<Moment>,
    #[sqlx(flatten)]
    price: PriceRow,
    anti_snipe_enabled: bool,
    anti_snipe_threshold_seconds: i64,
    anti_snipe_extension_seconds: i64,
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
    currency_code: Option<String>,
    starting_bid: Option<String>,
    min_bid_increment: Option<String>,
    min_bid_profile_id: Option<CurrencyId>,
    min_bid_constraint: Option<String>,
    min_bid_normalized: Option<String>,
    min_increment_normalized: Option<String>,
}

#[derive(sqlx_macros::FromRow)]
struct BidRow {
    bid_id: Option<BidId>,
    bid_sequence: Option<i64>,
    bidder_id: Option<UserId>,
    bidder_name: Option<String>,
    bid_profile_id: Option<CurrencyId>,
    bid_amount: Option<String>,
    bid_representation: Option<String>,
    bid_normalized: Option<String>,
    bid_is_anonymous: Option<bool>,
}

impl ItemRow {
    pub(super) fn read(self) -> Result<Item, DbError> {
        let id = self.item_id;
        let corrupt = |what: &str| DbError::Corrupt(format!("item `{id}` with a {what}"));
        Ok(Item {
            id,
            auction_id: self.auction_id,
            lot_number: self.lot_number,
            seller: Person { id: self.seller_id, name: self.seller_name },
            creator: Person { id: self.creator_id, name: self.creator_name },
            terms: ItemTerms {
                name: self.item_name,
                description: self.item_description,
                is_published: self.is_published,
                starts_at: self.starts_at,
                own_end: self.own_end,
                price: self.price.read().ok_or_else(|| corrupt("strange price"))?,
                anti_snipe: AntiSnipe {
                    enabled: self.anti_snipe_enabled,
                    threshold_seconds: self.anti_snipe_threshold_seconds,
                    extension_seconds: self.anti_snipe_extension_seconds,
                },
            },
            images: stored_json("images", &self.item_images)?,
            ends_at: self.ends_at,
            closed_at: self.closed_for_good_at,
            last_sequence: self.last_sequence,
            withdrawals: self.withdrawals,
            highest_bid: match self.bid.bid_id.is_some() {
                true => Some(self.bid.read().ok_or_else(|| corrupt("strange highest bid"))?),
                false => None,
            },
            outcome: self.outcome.read()?,
            version: self.item_version,
            created_at: self.item_created_at,
            updated_at: self.item_updated_at,
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
                currency_id: *profile_id,
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
            id: self.bid_id?,
            sequence: self.bid_sequence?,
            bidder: Person {
                id: self.bidder_id?,
                name: self.bidder_name.unwrap_or_else(|| Person::DELETED.to_owned()),
            },
            currency_id: self.bid_profile_id,
            entered: BidForm {
                amount: self.bid_amount.map(Into::into),
                entered_representation: counts.transpose().ok()?,
            },
            normalized: self.bid_normalized?.parse().ok()?,
            is_anonymous: self.bid_is_anonymous?,
        })
    }
}

pub(super) use {columns, joins, tables};
