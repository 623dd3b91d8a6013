//! The questions in SQL. This room alone may read every table.

pub mod followers;
pub mod leads;
pub mod ledger;
pub mod of_books;
pub mod of_currencies;
pub mod of_pots;
pub mod own_items;
pub mod prices;
pub mod waiting;
pub mod written_in;

use std::collections::{HashMap, HashSet};

use rules_engine::money::Normalized;

use crate::ids::{AuctionId, GroupId, ItemId, UserId};
use crate::usage::NEWEST_BID_WITHIN;
use crate::usage::store::ledger::newest_standing;
use platform::db::{Connection, DbError, Parsed, concatcp, for_each_row, query, query_scalar, rows};
use platform::ids::Uuid;
use platform::time::Moment;

/// The ids of all items of an auction, in the order in which they were created.
pub async fn item_ids(conn: &mut Connection, auction_id: AuctionId) -> Result<Vec<ItemId>, DbError> {
    query_scalar("SELECT id FROM items WHERE auction_id = $1 ORDER BY id")
        .bind(auction_id)
        .fetch_all(conn)
        .await
}

/// The name of the item, or else of the auction. Empty if there is none any more.
pub async fn name_of(
    conn: &mut Connection,
    auction_id: Option<AuctionId>,
    item_id: Option<ItemId>,
) -> Result<String, DbError> {
    let name = query_scalar(
        "SELECT COALESCE((SELECT name FROM items WHERE id = $2), (SELECT name FROM auctions WHERE id = $1), '')",
    );
    Ok(name.bind(auction_id).bind(item_id).fetch_optional(conn).await?.unwrap_or_default())
}

/// The greatest of three counts: items of the auction, members of the auction, people of the group. A request
/// that changes all of them changes about as many rows in one transaction.
pub async fn rows_together(
    conn: &mut Connection,
    auction_id: Option<AuctionId>,
    group_id: Option<GroupId>,
) -> Result<usize, DbError> {
    let rows: Option<i64> = query_scalar(
        "SELECT MAX(n) FROM (
             SELECT all_items AS n FROM auctions WHERE id = $1
             UNION ALL SELECT COUNT(*) FROM members WHERE auction_id = $1
             UNION ALL SELECT COUNT(*) FROM group_people WHERE group_id = $2) counted",
    )
    .bind(auction_id)
    .bind(group_id)
    .fetch_one(conn)
    .await?;
    Ok(rows.map_or(0, |rows| usize::try_from(rows).unwrap_or(0)))
}

/// The ids of all items of an auction, with the creators of those that are drafts.
pub async fn items_with_drafts(
    conn: &mut Connection,
    auction_id: AuctionId,
) -> Result<Vec<(ItemId, Option<UserId>)>, DbError> {
    query("SELECT id, CASE WHEN NOT is_published THEN creator_id END FROM items WHERE auction_id = $1")
        .bind(auction_id)
        .fetch_all(conn)
        .await
}

/// The ids of the first items of an auction, at most `limit`.
pub async fn first_item_ids(
    conn: &mut Connection,
    auction_id: AuctionId,
    limit: usize,
) -> Result<Vec<ItemId>, DbError> {
    query_scalar("SELECT id FROM items WHERE auction_id = $1 ORDER BY id LIMIT $2")
        .bind(auction_id)
        .bind(i64::try_from(limit).unwrap_or(i64::MAX))
        .fetch_all(conn)
        .await
}

/// Whether any item of the auction has ever had bids.
pub async fn any_bids(conn: &mut Connection, auction_id: AuctionId) -> Result<bool, DbError> {
    let sql = "SELECT EXISTS (SELECT 1 FROM bids WHERE auction_id = $1)
                   OR EXISTS (SELECT 1 FROM sealed_bids WHERE auction_id = $1)";
    query_scalar(sql).bind(auction_id).fetch_one(conn).await
}

/// Whether any item of the auction has a standing bid.
pub async fn any_standing_bids(conn: &mut Connection, auction_id: AuctionId) -> Result<bool, DbError> {
    let sql = "SELECT EXISTS (SELECT 1 FROM items_now WHERE auction_id = $1 AND leading_sequence IS NOT NULL)
                   OR EXISTS (SELECT 1 FROM sealed_bids WHERE auction_id = $1 AND ended_at IS NULL)";
    query_scalar(sql).bind(auction_id).fetch_one(conn).await
}

/// Whether any of these users has bid, sells an item, or has more in a book than it grants on joining.
pub async fn any_took_part(conn: &mut Connection, users: &[UserId]) -> Result<bool, DbError> {
    let given = rows(users.iter().map(|user| [user]))?;
    for sql in [
        for_each_row!("SELECT p.item_id FROM", [user_id id], "JOIN bidders p ON p.user_id = given.user_id LIMIT 1"),
        for_each_row!(
            "SELECT s.item_id FROM",
            [user_id id],
            "JOIN sealed_bids s ON s.bidder_id = given.user_id AND s.ended_at IS NULL LIMIT 1"
        ),
        for_each_row!("SELECT i.id FROM", [user_id id], "JOIN items i ON i.seller_id = given.user_id LIMIT 1"),
        for_each_row!(
            "SELECT h.book_id FROM",
            [user_id id],
            "JOIN book_holders h ON h.user_id = given.user_id
             JOIN book_entries e ON e.book_id = h.book_id AND e.holder_id = h.user_id
             WHERE e.kind <> 'GRANT' OR e.by_id IS NOT NULL LIMIT 1"
        ),
    ] {
        let found: Option<Uuid> = query_scalar(sql).bind(given.clone()).fetch_optional(conn).await?;
        if found.is_some() {
            return Ok(true);
        }
    }
    Ok(false)
}

/// The users, among these, who lead an item that has no outcome yet, or have a sealed bid on one.
pub async fn leaders_among(conn: &mut Connection, users: &[UserId]) -> Result<Vec<UserId>, DbError> {
    let sealed = query_scalar(for_each_row!(
        "SELECT DISTINCT s.bidder_id FROM",
        [user_id id],
        "JOIN sealed_bids s ON s.bidder_id = given.user_id AND s.ended_at IS NULL
         JOIN items i ON i.id = s.item_id WHERE i.closed_at IS NULL"
    ));
    let mut found: Vec<UserId> =
        sealed.bind(rows(users.iter().map(|user| [user]))?).fetch_all(&mut *conn).await?;
    let leaders = query_scalar(for_each_row!(
        "SELECT DISTINCT p.user_id FROM",
        [user_id id],
        "JOIN bidders p ON p.user_id = given.user_id
         JOIN items_now i ON i.id = p.item_id
         JOIN bids b ON b.auction_id = i.auction_id AND b.position = i.leading_position
         WHERE i.closed_at IS NULL AND b.bidder_id = p.user_id"
    ));
    let leaders = leaders.bind(rows(users.iter().map(|user| [user]))?);
    found.extend(leaders.fetch_all::<UserId>(conn).await?);
    Ok(found)
}

/// Whether the user has a bid on the item that was not withdrawn, sealed or not.
pub async fn has_standing_bid(
    conn: &mut Connection,
    item_id: ItemId,
    user_id: UserId,
) -> Result<bool, DbError> {
    query_scalar(concatcp!(
        "SELECT EXISTS (SELECT 1 FROM bidders p WHERE p.user_id = $2 AND p.item_id = $1 AND ",
        newest_standing!("p.item_id", "$2", "p.sequence + $3 - 1"),
        " IS NOT NULL)
           OR EXISTS (SELECT 1 FROM sealed_bids s WHERE s.bidder_id = $2 AND s.item_id = $1 AND s.ended_at IS NULL)"
    ))
    .bind(item_id)
    .bind(user_id)
    .bind(NEWEST_BID_WITHIN)
    .fetch_one(conn)
    .await
}

/// How many sealed bids stand on an item.
pub async fn sealed_bids(conn: &mut Connection, item_id: ItemId) -> Result<i64, DbError> {
    query_scalar("SELECT COUNT(*) FROM sealed_bids WHERE item_id = $1 AND ended_at IS NULL")
        .bind(item_id)
        .fetch_one(conn)
        .await
}

/// How many tickets stand on each of these items that has had any.
pub async fn tickets(conn: &mut Connection, items: &[ItemId]) -> Result<Vec<(ItemId, i64)>, DbError> {
    if items.is_empty() {
        return Ok(Vec::new());
    }
    query(for_each_row!(
        "SELECT s.item_id, CAST(SUM(CASE WHEN s.ended_at IS NULL THEN s.tickets ELSE 0 END) AS BIGINT) FROM",
        [item_id id],
        "JOIN sealed_bids s ON s.item_id = given.item_id GROUP BY s.item_id"
    ))
    .bind(rows(items.iter().map(|item| [item]))?)
    .fetch_all(conn)
    .await
}

/// The sequence of the bid that leads an item.
pub async fn leading_bid(conn: &mut Connection, item_id: ItemId) -> Result<Option<i64>, DbError> {
    let sql = "SELECT leading_sequence FROM items_now WHERE id = $1";
    let found: Option<Option<i64>> = query_scalar(sql).bind(item_id).fetch_optional(conn).await?;
    Ok(found.flatten())
}

/// The sequence of another user's bid that leads an open item of an auction that the user sees.
pub async fn outbid_by(
    conn: &mut Connection,
    item_id: ItemId,
    user_id: UserId,
    now: Moment,
) -> Result<Option<i64>, DbError> {
    query_scalar(
        "SELECT b.sequence FROM items_now i JOIN bids b ON b.auction_id = i.auction_id AND b.position = i.leading_position
         WHERE i.id = $1 AND b.bidder_id <> $2 AND i.closed_for_good_at IS NULL
           AND (i.ends_at IS NULL OR i.ends_at > $3)
           AND (i.join_mode = 'FREE'
                OR EXISTS (SELECT 1 FROM members m WHERE m.auction_id = i.auction_id AND m.user_id = $2))",
    )
    .bind(item_id)
    .bind(user_id)
    .bind(now)
    .fetch_optional(conn)
    .await
}

/// The names of these items, without those of auctions that hide their bidders.
pub async fn names_beside_bidders(
    conn: &mut Connection,
    items: &[ItemId],
) -> Result<Vec<(ItemId, String)>, DbError> {
    query(for_each_row!(
        "SELECT i.id, i.name FROM",
        [item_id id],
        "JOIN items i ON i.id = given.item_id JOIN auctions a ON a.id = i.auction_id
         WHERE a.bidder_visibility = 'VISIBLE'"
    ))
    .bind(rows(items.iter().map(|item| [item]))?)
    .fetch_all(conn)
    .await
}

/// The items, among these, whose bidders are hidden from the user.
pub async fn with_hidden_bidders(
    conn: &mut Connection,
    user_id: UserId,
    items: &[ItemId],
) -> Result<HashSet<ItemId>, DbError> {
    if items.is_empty() {
        return Ok(HashSet::new());
    }
    let found: Vec<ItemId> = query_scalar(for_each_row!(
        "SELECT i.id FROM",
        [item_id id],
        "JOIN items i ON i.id = given.item_id JOIN auctions a ON a.id = i.auction_id
         WHERE a.bidder_visibility <> 'VISIBLE' AND NOT EXISTS (
             SELECT 1 FROM members m
             WHERE m.auction_id = a.id AND m.user_id = $2 AND m.role IN ('OWNER', 'ADMIN'))"
    ))
    .bind(rows(items.iter().map(|item| [item]))?)
    .bind(user_id)
    .fetch_all(conn)
    .await?;
    Ok(found.into_iter().collect())
}

/// The next end of a published item, or of its auction if that is earlier. Auctions without one are left out.
pub async fn next_ends(
    conn: &mut Connection,
    auction_ids: &[AuctionId],
    now: Moment,
) -> Result<HashMap<AuctionId, Moment>, DbError> {
    let ends: Vec<(AuctionId, Option<Moment>, Option<Moment>)> = query(for_each_row!(
        "SELECT a.id, a.end_date,
                (SELECT MIN(i.end_date) FROM items i
                 WHERE i.auction_id = a.id AND i.closed_at IS NULL AND i.end_date > $2 AND i.is_published)
         FROM",
        [auction_id id],
        "JOIN auctions a ON a.id = given.auction_id WHERE a.closed_at IS NULL AND a.item_end_mode <> 'NONE'"
    ))
    .bind(rows(auction_ids.iter().map(|id| [id]))?)
    .bind(now)
    .fetch_all(conn)
    .await?;
    let next = |(id, own, of_items): (AuctionId, Option<Moment>, Option<Moment>)| {
        Some((id, own.filter(|end| *end > now).into_iter().chain(of_items).min()?))
    };
    Ok(ends.into_iter().filter_map(next).collect())
}

/// Sum of what the published items of an auction were sold for, of the highest standing bids on the others,
/// and of the tickets of draws that are to come or were held. With `currency` only of items in this ISO 4217
/// currency. `None` if it is too large to be added up.
pub async fn raised(
    conn: &mut Connection,
    auction_id: AuctionId,
    currency: Option<&str>,
) -> Result<Option<Normalized>, DbError> {
    let amounts: Vec<Parsed<Normalized>> = query_scalar(
        "SELECT COALESCE(o.normalized_amount, b.normalized_amount) FROM items_now i
         LEFT JOIN outcomes_now o ON o.item_id = i.id
         LEFT JOIN bids b ON b.auction_id = i.auction_id
             AND b.position = CASE WHEN o.number IS NULL THEN i.leading_position ELSE o.position END
         WHERE i.auction_id = $1 AND i.is_published AND i.format <> 'DRAW'
           AND ($2 IS NULL OR i.currency_code = $2)
           AND (b.position IS NOT NULL OR o.normalized_amount IS NOT NULL)",
    )
    .bind(auction_id)
    .bind(currency)
    .fetch_all(conn)
    .await?;
    let tickets: Vec<Parsed<Normalized>> = query_scalar(
        "SELECT s.normalized_amount FROM items i JOIN sealed_bids s ON s.item_id = i.id
         WHERE i.auction_id = $1 AND i.is_published AND i.format = 'DRAW' AND $2 IS NULL AND s.ended_at IS NULL
           AND (i.closed_at IS NULL OR EXISTS (
               SELECT 1 FROM outcomes_now o WHERE o.item_id = i.id AND o.copy = 1
                   AND (o.result = 'SOLD' OR o.result = 'UNSOLD' AND o.number > 1)))",
    )
    .bind(auction_id)
    .bind(currency)
    .fetch_all(conn)
    .await?;
    let amounts = amounts.into_iter().chain(tickets);
    Ok(amounts.into_iter().try_fold(Normalized::ZERO, |sum, Parsed(amount)| sum.checked_add(amount)))
}

/// Whether this is the token of the link with which users join an auction that was not closed.
pub async fn is_open_link(conn: &mut Connection, token: &str) -> Result<bool, DbError> {
    query_scalar(
        "SELECT EXISTS (
             SELECT 1 FROM auctions WHERE link_token = $1 AND join_mode = 'LINK' AND closed_at IS NULL)",
    )
    .bind(token)
    .fetch_one(conn)
    .await
}
