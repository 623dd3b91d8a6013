//! How the ledger is read by item. A bid knows its position in the ledger and that of the bid before it on
//! the item, so that the bids of an item are walked from the newest on, or from one whose position is marked.

use crate::ids::ItemId;
use platform::db::{DbError, rows};

/// Bids of an item by their sequences.
#[derive(Debug, Clone, Copy)]
pub struct LedgerRange {
    pub item_id: ItemId,
    pub low: i64,
    /// Inclusive.
    pub high: i64,
    /// Maximum number of bids; the newest are returned.
    pub most: i64,
}

impl LedgerRange {
    pub fn one(item_id: ItemId, sequence: i64) -> Self {
        Self { item_id, low: sequence, high: sequence, most: 1 }
    }

    /// All bids from one to another.
    pub fn between(item_id: ItemId, low: i64, high: i64) -> Self {
        Self { item_id, low, high, most: i64::MAX }
    }

    pub fn from(item_id: ItemId, low: i64) -> Self {
        Self { item_id, low, high: i64::MAX, most: i64::MAX }
    }
}

/// The ranges as the value `$1` of a statement of [`in_ranges`].
pub fn ranges(ranges: impl IntoIterator<Item = LedgerRange>) -> Result<String, DbError> {
    rows(ranges.into_iter().map(|range| (range.item_id, range.low, range.high, range.most)))
}

/// Selects from the bids `b` of [`ranges`], and from what is joined to them.
macro_rules! in_ranges {
    ($select:expr, $joins:expr, $order:literal) => {
        platform::db::for_each_row!(
            "WITH RECURSIVE ranges (item_id, auction_id, newest, low, high, most) AS (
                 SELECT h.item_id, h.auction_id, h.last_position, CAST(given.low AS BIGINT),
                        CASE WHEN h.last_sequence < CAST(given.high AS BIGINT) THEN h.last_sequence
                             ELSE CAST(given.high AS BIGINT) END,
                        CAST(given.most AS BIGINT)
                 FROM",
            [item_id id, low text, high text, most text],
            platform::db::concatcp!(
                "JOIN item_heads h ON h.item_id = given.item_id
             ), starts (auction_id, position, low, high) AS (
                 SELECT r.auction_id,
                        COALESCE((SELECT m.position FROM bid_marks m
                                  WHERE m.item_id = r.item_id AND m.sequence >= r.high
                                  ORDER BY m.sequence LIMIT 1), r.newest),
                        CASE WHEN r.low > r.high - r.most THEN r.low ELSE r.high - r.most + 1 END, r.high
                 FROM ranges r
             ), walk (auction_id, position, previous, sequence, low, high) AS (
                 SELECT b.auction_id, b.position, b.previous, b.sequence, s.low, s.high
                 FROM starts s JOIN bids b ON b.auction_id = s.auction_id AND b.position = s.position
                 UNION ALL
                 SELECT b.auction_id, b.position, b.previous, b.sequence, walk.low, walk.high
                 FROM walk JOIN bids b ON b.auction_id = walk.auction_id AND b.position = walk.previous
                 WHERE walk.sequence > walk.low
             ) SELECT ",
                $select,
                " FROM walk JOIN bids b ON b.auction_id = walk.auction_id AND b.position = walk.position ",
                $joins,
                " WHERE walk.sequence BETWEEN walk.low AND walk.high ",
                $order
            )
        )
    };
}

/// The position of the newest standing bid of a user on an item, up to a sequence.
macro_rules! newest_standing {
    ($item:literal, $user:literal, $high:literal) => {
        platform::db::concatcp!(
            "(WITH RECURSIVE walk (auction_id, position, previous, stands) AS (
                 SELECT b.auction_id, b.position, b.previous, ",
            crate::usage::ledger::newest_standing!(stands $user, $high),
            "    FROM item_heads h
                 JOIN bids b ON b.auction_id = h.auction_id AND b.position = COALESCE(
                     (SELECT m.position FROM bid_marks m WHERE m.item_id = h.item_id AND m.sequence >= ",
            $high,
            "         ORDER BY m.sequence LIMIT 1), h.last_position)
                 WHERE h.item_id = ",
            $item,
            "    UNION ALL
                 SELECT b.auction_id, b.position, b.previous, ",
            crate::usage::ledger::newest_standing!(stands $user, $high),
            "    FROM walk JOIN bids b ON b.auction_id = walk.auction_id AND b.position = walk.previous
                 WHERE NOT walk.stands
             ) SELECT walk.position FROM walk WHERE walk.stands)"
        )
    };
    (stands $user:literal, $high:literal) => {
        concat!(
            "b.sequence <= ",
            $high,
            " AND b.bidder_id = ",
            $user,
            " AND NOT EXISTS (
                 SELECT 1 FROM withdrawals d WHERE d.item_id = b.item_id AND d.sequence = b.sequence)"
        )
    };
}

pub(crate) use {in_ranges, newest_standing};
