//! The questions in SQL. This room alone may read every table.

pub mod ledger;
pub mod own_items;
pub mod prices;
pub mod written_in;

use std::collections::{HashMap, HashSet};

use rules_engine::RuleParams;
use rules_engine::money::Normalized;

use crate::ids::{AuctionId, BookId, CurrencyId, ItemId, UserId};
use crate::usage::NEWEST_BID_WITHIN;
use crate::usage::store::ledger::newest_standing;
use platform::db::{Connection, DbError, Json, Parsed, for_each_row, query, query_scalar, rows};
use platform::time::Moment;

/// The bids in an auction, and the corrections of its outcomes, that are entered in a currency profile of it.
/// The query scans all bids of the auction.
macro_rules! bids_in_currency {
    ($auction_id:literal, $currency_id:literal) => {
        concat!(
            "SELECT 1 FROM bids b WHERE b.auction_id = ",
            $auction_id,
            " AND b.currency_profile_id = ",
            $currency_id,
            " UNION ALL SELECT 1 FROM outcomes o WHERE o.auction_id = ",
            $auction_id,
            " AND o.currency_profile_id = ",
            $currency_id
        )
    };
}

/// The ids of all items of an auction, in the order in which they were created.
pub async fn item_ids(conn: &mut Connection, auction_id: AuctionId) -> Result<Vec<ItemId>, DbError> {
    query_scalar("SELECT id FROM items WHERE auction_id = $1 ORDER BY id")
        .bind(auction_id)
        .fetch_all(conn)
        .await
}

/// Whether any item of the auction has ever had bids.
pub async fn any_bids(conn: &mut Connection, auction_id: AuctionId) -> Result<bool, DbError> {
    let sql = "SELECT EXISTS (SELECT 1 FROM bids WHERE auction_id = $1)";
    query_scalar(sql).bind(auction_id).fetch_one(conn).await
}

/// Whether any item of the auction has a standing bid.
pub async fn any_standing_bids(conn: &mut Connection, auction_id: AuctionId) -> Result<bool, DbError> {
    let sql =
        "SELECT EXISTS (SELECT 1 FROM items_now WHERE auction_id = $1 AND leading_sequence IS NOT NULL)";
    query_scalar(sql).bind(auction_id).fetch_one(conn).await
}

/// Those of these users who lead an item that has no outcome yet.
pub async fn leaders_among(conn: &mut Connection, users: &[UserId]) -> Result<Vec<UserId>, DbError> {
    query_scalar(for_each_row!(
        "SELECT DISTINCT b.bidder_id FROM items_now i
         JOIN bids b ON b.auction_id = i.auction_id AND b.position = i.leading_position
         WHERE i.closed_at IS NULL AND b.bidder_id IN (SELECT given.user_id FROM",
        [user_id id],
        ")"
    ))
    .bind(rows(users.iter().map(|user| [user]))?)
    .fetch_all(conn)
    .await
}

/// Whether the user has a bid on the item that was not withdrawn.
pub async fn has_standing_bid(
    conn: &mut Connection,
    item_id: ItemId,
    user_id: UserId,
) -> Result<bool, DbError> {
    query_scalar(concat!(
        "SELECT EXISTS (SELECT 1 FROM bidders p WHERE p.user_id = $2 AND p.item_id = $1 AND ",
        newest_standing!("p.item_id", "$2", "p.sequence + $3 - 1"),
        " IS NOT NULL)"
    ))
    .bind(item_id)
    .bind(user_id)
    .bind(NEWEST_BID_WITHIN)
    .fetch_one(conn)
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

/// The standing bids that lead items without an outcome, in all auctions of a book: what its holders have
/// committed.
pub async fn commitments(
    conn: &mut Connection,
    book_id: BookId,
) -> Result<Vec<(UserId, Normalized)>, DbError> {
    let found: Vec<(UserId, Parsed<Normalized>)> = query(
        "SELECT b.bidder_id, b.normalized_amount
         FROM auctions a JOIN items_now i ON i.auction_id = a.id
         JOIN bids b ON b.auction_id = i.auction_id AND b.position = i.leading_position
         WHERE a.book_id = $1 AND i.closed_at IS NULL",
    )
    .bind(book_id)
    .fetch_all(conn)
    .await?;
    Ok(found.into_iter().map(|(bidder, Parsed(amount))| (bidder, amount)).collect())
}

/// What one holder has committed in each of these books: the standing bids with which the user leads items
/// without an outcome, in all auctions of the book.
pub async fn commitments_of(
    conn: &mut Connection,
    books: &[BookId],
    user_id: UserId,
) -> Result<Vec<(BookId, Normalized)>, DbError> {
    let found: Vec<(BookId, Parsed<Normalized>)> = query(for_each_row!(
        "SELECT a.book_id, b.normalized_amount FROM",
        [book_id id],
        "JOIN auctions a ON a.book_id = given.book_id
         JOIN items_now i ON i.auction_id = a.id
         JOIN bids b ON b.auction_id = i.auction_id AND b.position = i.leading_position
         WHERE i.closed_at IS NULL AND b.bidder_id = $2"
    ))
    .bind(rows(books.iter().map(|id| [id]))?)
    .bind(user_id)
    .fetch_all(conn)
    .await?;
    Ok(found.into_iter().map(|(book, Parsed(amount))| (book, amount)).collect())
}

/// Whether an auction of the book is not closed.
pub async fn book_has_open_auction(conn: &mut Connection, book_id: BookId) -> Result<bool, DbError> {
    let sql = "SELECT EXISTS (SELECT 1 FROM auctions WHERE book_id = $1 AND closed_at IS NULL)";
    query_scalar(sql).bind(book_id).fetch_one(conn).await
}

/// Whether an auction of the book, open or closed, hides its bidders from other members.
pub async fn book_hides_bidders(conn: &mut Connection, book_id: BookId) -> Result<bool, DbError> {
    let sql = "SELECT EXISTS (SELECT 1 FROM auctions WHERE book_id = $1 AND bidder_visibility <> 'VISIBLE')";
    query_scalar(sql).bind(book_id).fetch_one(conn).await
}

/// Those of these items whose bidders are hidden from the user.
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

/// Whether the user is a member of an auction of the book that is not closed.
pub async fn is_in_open_auction_of_book(
    conn: &mut Connection,
    book_id: BookId,
    user_id: UserId,
) -> Result<bool, DbError> {
    let sql = "SELECT EXISTS (
        SELECT 1 FROM auctions a JOIN members m ON m.auction_id = a.id
        WHERE a.book_id = $1 AND a.closed_at IS NULL AND m.user_id = $2)";
    query_scalar(sql).bind(book_id).bind(user_id).fetch_one(conn).await
}

/// Those of these users who are holders of the book (true), or share an auction with its keeper.
pub async fn reached_by_keeper(
    conn: &mut Connection,
    book_id: BookId,
    keeper: UserId,
    users: &[UserId],
) -> Result<HashMap<UserId, bool>, DbError> {
    if users.is_empty() {
        return Ok(HashMap::new());
    }
    let found: Vec<(UserId, bool)> = query(for_each_row!(
        "SELECT given.user_id, h.user_id IS NOT NULL FROM",
        [user_id id],
        "LEFT JOIN book_holders h ON h.book_id = $2 AND h.user_id = given.user_id AND h.left_at IS NULL
         WHERE h.user_id IS NOT NULL OR EXISTS (
             SELECT 1 FROM members m JOIN members k ON k.auction_id = m.auction_id AND k.user_id = $3
             WHERE m.user_id = given.user_id)"
    ))
    .bind(rows(users.iter().map(|user| [user]))?)
    .bind(book_id)
    .bind(keeper)
    .fetch_all(conn)
    .await?;
    Ok(found.into_iter().collect())
}

/// Whether the book has entries or auctions.
pub async fn book_is_used(conn: &mut Connection, book_id: BookId) -> Result<bool, DbError> {
    query_scalar(
        "SELECT EXISTS (SELECT 1 FROM book_entries WHERE book_id = $1)
             OR EXISTS (SELECT 1 FROM auctions WHERE book_id = $1)",
    )
    .bind(book_id)
    .fetch_one(conn)
    .await
}

/// Whether the user is the OWNER of a book.
pub async fn owns_book(conn: &mut Connection, user_id: UserId) -> Result<bool, DbError> {
    let sql = "SELECT EXISTS (SELECT 1 FROM book_holders WHERE user_id = $1 AND role = 'OWNER')";
    query_scalar(sql).bind(user_id).fetch_one(conn).await
}

/// The members who watch an item or have bid on it.
pub async fn followers(
    conn: &mut Connection,
    auction_id: AuctionId,
    item_id: ItemId,
) -> Result<Vec<UserId>, DbError> {
    query_scalar(
        "SELECT m.user_id FROM members m
         WHERE m.auction_id = $1
           AND (EXISTS (SELECT 1 FROM watches w
                        WHERE w.auction_id = $1 AND w.user_id = m.user_id AND w.item_id = $2)
                OR EXISTS (SELECT 1 FROM bidders b WHERE b.user_id = m.user_id AND b.item_id = $2))",
    )
    .bind(auction_id)
    .bind(item_id)
    .fetch_all(conn)
    .await
}

/// The members who watch one of the items or have bid on it, each with that item.
pub async fn followers_of(
    conn: &mut Connection,
    auction_id: AuctionId,
    items: &[ItemId],
) -> Result<Vec<(ItemId, UserId)>, DbError> {
    match items {
        [] => return Ok(Vec::new()),
        [item] => {
            let users = followers(conn, auction_id, *item).await?;
            return Ok(users.into_iter().map(|user| (*item, user)).collect());
        }
        _ => {}
    }
    // What all members follow is read once: items and members are far more pairs.
    query(for_each_row!(
        "SELECT given.item_id, f.user_id FROM",
        [item_id id],
        "JOIN (SELECT w.item_id, w.user_id FROM watches w WHERE w.auction_id = $2
               UNION
               SELECT b.item_id, b.user_id FROM members m JOIN bidders b ON b.user_id = m.user_id
               WHERE m.auction_id = $2) f ON f.item_id = given.item_id"
    ))
    .bind(rows(items.iter().map(|item| [item]))?)
    .bind(auction_id)
    .fetch_all(conn)
    .await
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

/// Whether any bid in the auction is entered in this currency profile of it.
pub async fn currency_has_bids(
    conn: &mut Connection,
    auction_id: AuctionId,
    currency_id: CurrencyId,
) -> Result<bool, DbError> {
    query_scalar(concat!("SELECT EXISTS (", bids_in_currency!("$1", "$2"), ")"))
        .bind(auction_id)
        .bind(currency_id)
        .fetch_one(conn)
        .await
}

/// Whether the minimum of any item of the auction is entered in this currency profile of it.
pub async fn currency_in_minimum(
    conn: &mut Connection,
    auction_id: AuctionId,
    currency_id: CurrencyId,
) -> Result<bool, DbError> {
    query_scalar("SELECT EXISTS (SELECT 1 FROM items WHERE auction_id = $1 AND min_bid_profile_id = $2)")
        .bind(auction_id)
        .bind(currency_id)
        .fetch_one(conn)
        .await
}

/// The currency profiles of an auction that a bid or an item's minimum is entered in.
pub async fn currencies_in_use(
    conn: &mut Connection,
    auction_id: AuctionId,
) -> Result<HashSet<CurrencyId>, DbError> {
    let ids: Vec<CurrencyId> = query_scalar(concat!(
        "SELECT c.id FROM currency_profiles c
         WHERE c.auction_id = $1
           AND (EXISTS (",
        bids_in_currency!("$1", "c.id"),
        ") OR EXISTS (SELECT 1 FROM items i WHERE i.auction_id = $1 AND i.min_bid_profile_id = c.id))"
    ))
    .bind(auction_id)
    .fetch_all(conn)
    .await?;
    Ok(ids.into_iter().collect())
}

/// Whether any rule of the auction is for this currency profile alone.
pub async fn has_rules(
    conn: &mut Connection,
    auction_id: AuctionId,
    currency_id: CurrencyId,
) -> Result<bool, DbError> {
    let sql =
        "SELECT EXISTS (SELECT 1 FROM currency_rules WHERE auction_id = $1 AND currency_profile_id = $2)";
    query_scalar(sql).bind(auction_id).bind(currency_id).fetch_one(conn).await
}

/// The codes of the profile's denominations that rules name.
pub async fn denominations_in_rules(
    conn: &mut Connection,
    auction_id: AuctionId,
    currency_id: CurrencyId,
) -> Result<HashSet<String>, DbError> {
    let params: Vec<Json<RuleParams>> =
        query_scalar("SELECT params FROM currency_rules WHERE auction_id = $1 AND currency_profile_id = $2")
            .bind(auction_id)
            .bind(currency_id)
            .fetch_all(conn)
            .await?;
    Ok(params.into_iter().filter_map(|params| params.0.denomination).collect())
}

/// Whether any item of the auction has no ISO 4217 currency, or can't be paid in one because the auction has
/// a book, so that only currency profiles give it a price.
pub async fn items_lack_iso_currency(conn: &mut Connection, auction_id: AuctionId) -> Result<bool, DbError> {
    query_scalar(
        "SELECT EXISTS (SELECT 1 FROM items JOIN auctions ON auctions.id = items.auction_id \
         WHERE items.auction_id = $1 AND (items.currency_code IS NULL OR auctions.book_id IS NOT NULL))",
    )
    .bind(auction_id)
    .fetch_one(conn)
    .await
}

/// Whether the auction has items, and no currency profile.
pub async fn has_items_in_iso_currencies(
    conn: &mut Connection,
    auction_id: AuctionId,
) -> Result<bool, DbError> {
    query_scalar(
        "SELECT EXISTS (SELECT 1 FROM items WHERE auction_id = $1) \
         AND NOT EXISTS (SELECT 1 FROM currency_profiles WHERE auction_id = $1)",
    )
    .bind(auction_id)
    .fetch_one(conn)
    .await
}

/// Sum of what the published items of an auction were sold for, and of the highest standing bids on the
/// others. With `currency` only of items in this ISO 4217 currency. `None` if it is too large to be added up.
pub async fn raised(
    conn: &mut Connection,
    auction_id: AuctionId,
    currency: Option<&str>,
) -> Result<Option<Normalized>, DbError> {
    let amounts: Vec<Parsed<Normalized>> = query_scalar(
        "SELECT COALESCE(o.normalized_amount, b.normalized_amount) FROM items_now i
         LEFT JOIN outcomes o ON o.item_id = i.id AND o.number = i.outcome_number
         LEFT JOIN bids b ON b.auction_id = i.auction_id
             AND b.position = CASE WHEN o.number IS NULL THEN i.leading_position ELSE o.position END
         WHERE i.auction_id = $1 AND i.is_published AND ($2 IS NULL OR i.currency_code = $2)
           AND (b.position IS NOT NULL OR o.normalized_amount IS NOT NULL)",
    )
    .bind(auction_id)
    .bind(currency)
    .fetch_all(conn)
    .await?;
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
