//! The items that a user bids on, watches or sells, in all auctions that the user may see. Newest items
//! first.

use crate::ids::{ItemId, UserId};
use crate::usage::{ItemBidOn, NEWEST_BID_WITHIN, OwnItem};
use platform::db::{Connection, DbError, concatcp, for_each_row, query, rows};
use platform::ids::{Id, Uuid};
use platform::time::Moment;

/// Items that are read to find those of one position.
const READ_MAX: i64 = 2_000;

/// The columns of an [`OwnItem`] from the item `i`. `$2` is the moment.
const COLUMNS: &str =
    "i.id AS item_id, (i.closed_for_good_at IS NOT NULL OR COALESCE(i.ends_at <= $2, FALSE)) AS has_ended,
         CASE WHEN i.closed_for_good_at < i.ends_at THEN i.closed_for_good_at
              ELSE COALESCE(i.ends_at, i.closed_for_good_at) END AS ends_at";

/// The condition that the user `$1` may see the auction of the item `i`.
const VISIBLE: &str = "i.join_mode = 'FREE' OR EXISTS (
             SELECT 1 FROM members m WHERE m.auction_id = i.auction_id AND m.user_id = $1)";

/// The columns of an [`ItemBidOn`] from `bid_on`.
const BID_COLUMNS: &str = concatcp!(
            "SELECT ",
            COLUMNS,
            ", CASE WHEN o.result IS NOT NULL
                    THEN EXISTS (SELECT 1 FROM outcomes_now w WHERE w.item_id = i.id AND w.winner_id = $1)
                    ELSE COALESCE($1 = (SELECT b.bidder_id FROM bids b
                                        WHERE b.auction_id = i.auction_id AND b.position = i.leading_position),
                                  FALSE) END AS is_ahead,
               EXISTS (SELECT 1 FROM outcomes_now w WHERE w.item_id = i.id AND w.winner_id = $1
                           AND (w.paid_at IS NULL OR w.collected_at IS NULL)) AS is_due
             FROM"
        );

/// What follows `bidders p`: the items on which the user has a standing bid. An item with bids is never a
/// draft. `$3` is [`NEWEST_BID_WITHIN`].
const BID_ON: &str = concatcp!(
            " JOIN items_now i ON i.id = p.item_id
             LEFT JOIN outcomes o
             ON o.item_id = i.id AND i.closed_at IS NOT NULL AND o.copy = 1 AND o.number = i.outcome_number
             WHERE (",
            VISIBLE,
            // A winner who was removed from the auction since still sees the item.
            " OR EXISTS (SELECT 1 FROM outcomes_now w WHERE w.item_id = i.id AND w.winner_id = $1)) AND p.user_id = $1
              AND (i.withdrawals = 0 OR ",
            crate::usage::ledger::newest_standing!("p.item_id", "$1", "p.sequence + $3 - 1"),
            " IS NOT NULL)"
        );

/// Up to `$5` items older than `$4` on which the user has a standing bid.
const NEWEST_BID_ON: &str =
    concatcp!(BID_COLUMNS, " bidders p", BID_ON, " AND p.item_id < $4 ORDER BY p.item_id DESC LIMIT $5");

/// The condition that the item `i` is no draft that is hidden from the user `$1`.
const NO_HIDDEN_DRAFT: &str = "(i.is_published OR i.creator_id = $1 OR EXISTS (
             SELECT 1 FROM members d
             WHERE d.auction_id = i.auction_id AND d.user_id = $1 AND d.role IN ('OWNER', 'ADMIN')))";

/// Up to `$4` items older than `$3` that the user watches.
const WATCHED: &str = concatcp!(
    "SELECT ",
    COLUMNS,
    " FROM watches p JOIN items_now i ON i.id = p.item_id WHERE (",
    VISIBLE,
    ") AND p.user_id = $1 AND ",
    NO_HIDDEN_DRAFT,
    " AND p.item_id < $3 ORDER BY p.item_id DESC LIMIT $4"
);

/// Up to `$4` items older than `$3` that the user sells.
const SOLD: &str = concatcp!(
    "SELECT ",
    COLUMNS,
    " FROM items_now i WHERE (",
    VISIBLE,
    ") AND i.seller_id = $1 AND ",
    NO_HIDDEN_DRAFT,
    " AND i.id < $3 ORDER BY i.id DESC LIMIT $4"
);

pub mod first;

/// Up to `limit` items older than `before` that the user has a standing bid on.
pub async fn items_bid_on(
    conn: &mut Connection,
    user_id: UserId,
    before: Option<ItemId>,
    limit: i64,
    now: Moment,
) -> Result<Vec<ItemBidOn>, DbError> {
    query(NEWEST_BID_ON)
        .bind(user_id)
        .bind(now)
        .bind(NEWEST_BID_WITHIN)
        .bind(before.unwrap_or_else(greatest))
        .bind(limit)
        .fetch_all(conn)
        .await
}

/// Up to `limit` items older than `before` that the user has a standing bid on and that have ended or not,
/// with the user ahead or not. If older ones were not read, also the last one that was.
pub async fn items_bid_on_so(
    conn: &mut Connection,
    user_id: UserId,
    (has_ended, is_ahead): (bool, bool),
    before: Option<ItemId>,
    limit: i64,
    now: Moment,
) -> Result<(Vec<ItemBidOn>, Option<ItemId>), DbError> {
    let found: Vec<FoundRow> = query(concatcp!(
        "WITH own AS MATERIALIZED (",
        NEWEST_BID_ON,
        ") SELECT counts.*, list.*
           FROM (SELECT COUNT(*) AS read_items,
                        (SELECT item_id FROM own ORDER BY item_id LIMIT 1) AS last_read FROM own) AS counts
           LEFT JOIN (SELECT * FROM own WHERE has_ended = $6 AND is_ahead = $7
                      ORDER BY item_id DESC LIMIT $8) AS list ON TRUE ORDER BY item_id DESC"
    ))
    .bind(user_id)
    .bind(now)
    .bind(NEWEST_BID_WITHIN)
    .bind(before.unwrap_or_else(greatest))
    .bind(READ_MAX)
    .bind(has_ended)
    .bind(is_ahead)
    .bind(limit)
    .fetch_all(conn)
    .await?;
    let last_read = found.first().filter(|row| row.item.read_items >= READ_MAX).and_then(|row| row.last_read);
    Ok((found.iter().filter_map(FoundRow::item).collect(), last_read))
}

/// The items, among these, that the user has a standing bid on.
pub async fn items_bid_on_among(
    conn: &mut Connection,
    user_id: UserId,
    ids: impl IntoIterator<Item = ItemId>,
    now: Moment,
) -> Result<Vec<ItemBidOn>, DbError> {
    query(for_each_row!(
        "$4" => BID_COLUMNS,
        [item_id id],
        // SQLite reads these items first, not all that the user has bid on.
        concatcp!("CROSS JOIN bidders p", BID_ON, " AND p.item_id = given.item_id")
    ))
    .bind(user_id)
    .bind(now)
    .bind(NEWEST_BID_WITHIN)
    .bind(rows(ids.into_iter().map(|id| [id]))?)
    .fetch_all(conn)
    .await
}

/// Up to `limit` items older than `before` that the user watches.
pub async fn items_watched(
    conn: &mut Connection,
    user_id: UserId,
    before: Option<ItemId>,
    limit: i64,
    now: Moment,
) -> Result<Vec<OwnItem>, DbError> {
    own_items(conn, WATCHED, user_id, before, limit, now).await
}

/// Up to `limit` items older than `before` that the user sells.
pub async fn items_sold(
    conn: &mut Connection,
    user_id: UserId,
    before: Option<ItemId>,
    limit: i64,
    now: Moment,
) -> Result<Vec<OwnItem>, DbError> {
    own_items(conn, SOLD, user_id, before, limit, now).await
}

async fn own_items(
    conn: &mut Connection,
    sql: &'static str,
    user_id: UserId,
    before: Option<ItemId>,
    limit: i64,
    now: Moment,
) -> Result<Vec<OwnItem>, DbError> {
    query(sql).bind(user_id).bind(now).bind(before.unwrap_or_else(greatest)).bind(limit).fetch_all(conn).await
}

/// An id after every other one.
fn greatest() -> ItemId {
    ItemId::of(Uuid::max())
}

#[derive(sqlx_macros::FromRow)]
struct CountedRow {
    read_items: i64,
    item_id: Option<ItemId>,
    has_ended: Option<bool>,
    ends_at: Option<Moment>,
}

#[derive(sqlx_macros::FromRow)]
struct FoundRow {
    #[sqlx(flatten)]
    item: CountedRow,
    last_read: Option<ItemId>,
    is_ahead: Option<bool>,
    is_due: Option<bool>,
}

impl CountedRow {
    fn item(&self) -> Option<OwnItem> {
        Some(OwnItem { item_id: self.item_id?, has_ended: self.has_ended?, ends_at: self.ends_at })
    }
}

impl FoundRow {
    fn item(&self) -> Option<ItemBidOn> {
        Some(ItemBidOn { item: self.item.item()?, is_ahead: self.is_ahead?, is_due: self.is_due? })
    }
}
