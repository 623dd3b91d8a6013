//! Lists of items in SQL: one statement for each order.

use super::row::{ItemRow, JOINS, LISTED_COLUMNS};
use crate::ids::{AuctionId, ItemId, UserId};
use crate::items::list::{Filter, ItemPlace, ItemSort, SortKey};
use crate::items::{Item, ItemStatus};
use platform::db::{Connection, DbError, Sql, concatcp, json, query};
use platform::ids::{Id, Uuid};
use platform::search_text::SearchText;
use platform::time::Moment;

/// Which items of an auction are listed.
#[derive(Debug, Clone)]
pub struct Listed<'a> {
    /// Also the drafts of other users than `viewer`.
    pub all_drafts: bool,
    pub viewer: UserId,
    pub filter: &'a Filter,
    pub sort: ItemSort,
    /// The last item of the page before.
    pub after: Option<ItemPlace>,
    pub limit: i64,
    /// The auction has no currency profiles.
    pub is_legacy: bool,
    pub now: Moment,
}

/// Where a text begins in another; 0 if that does not contain it.
macro_rules! position {
    (sqlite) => {
        "instr"
    };
    (postgres) => {
        "strpos"
    };
}

/// Text has the order of its code points on both databases.
macro_rules! collate {
    (sqlite) => {
        ""
    };
    (postgres) => {
        " COLLATE \"C\""
    };
}

/// The highest bid or else the least one.
const PRICE: &str =
    "COALESCE(b.normalized_amount, CASE WHEN $13 THEN i.starting_bid ELSE i.min_bid_normalized END)";

/// What a list is ordered by, before the id.
macro_rules! key {
    ($database:ident, lot) => {
        "i.lot_key"
    };
    ($database:ident, end) => {
        "COALESCE(i.ends_at, 9223372036854775807)"
    };
    // SQLite has no exact decimals. As texts, decimals of up to 16 integer digits have the order of their
    // values once they begin with zeros. An item without a price comes first.
    ($database:ident, price) => {
        concatcp!(
            "COALESCE(substr('0000000000000000', ",
            position!($database),
            "(",
            PRICE,
            " || '.', '.')) || ",
            PRICE,
            ", '')",
            collate!($database)
        )
    };
    ($database:ident, name) => {
        concatcp!("i.name_folded", collate!($database))
    };
    ($database:ident, newest) => {
        "i.created_at"
    };
    ($database:ident, bids) => {
        "i.last_sequence - i.withdrawals"
    };
}

/// What a list is read from: all items of the auction, or first the texts that a search finds.
macro_rules! from {
    (found, $sort:ident) => {
        // SQLite reads tables in the order of a CROSS JOIN.
        concatcp!("item_texts t CROSS JOIN ", from!(all, $sort))
    };
    (all, price) => {
        "items_now i LEFT JOIN bids b ON b.auction_id = i.auction_id AND b.position = i.leading_position"
    };
    (all, $sort:ident) => {
        "items_now i"
    };
}

/// The items that a search finds: their texts contain `$4` and `$5`, and each word of the JSON array `$6`.
/// SQLite takes the first two much faster than a list.
macro_rules! found {
    ($database:ident, all) => {
        // PostgreSQL takes a parameter that is in the statement only.
        "$4 = '' AND $5 = '' AND $6 = '[]' AND i.auction_id = $1"
    };
    ($database:ident, found) => {
        concatcp!(
            "t.auction_id = $1 AND i.id = t.item_id AND ",
            position!($database),
            "(t.text, $4) > 0 AND ",
            position!($database),
            "(t.text, $5) > 0 AND ($6 = '[]' OR NOT EXISTS (SELECT 1 FROM ",
            words!($database),
            " WHERE ",
            position!($database),
            "(t.text, word.value) = 0))"
        )
    };
}

/// The JSON array `$6` as a table.
macro_rules! words {
    (sqlite) => {
        "json_each($6) AS word"
    };
    (postgres) => {
        "json_array_elements_text(CAST($6 AS json)) AS word (value)"
    };
}

/// The direction of the order, and the comparison of an item with the last one of the page before.
macro_rules! direction {
    (order, newest) => {
        "DESC"
    };
    (order, bids) => {
        "DESC"
    };
    (order, $sort:ident) => {
        "ASC"
    };
    (past, newest) => {
        "<"
    };
    (past, bids) => {
        "<"
    };
    (past, $sort:ident) => {
        ">"
    };
}

/// The items of the list, apart from where the page begins.
macro_rules! listed {
    ($database:ident, $from:ident, $sort:ident) => {
        concatcp!(
            "SELECT i.id, ",
            key!($database, $sort),
            " AS sort_key FROM ",
            from!($from, $sort),
            " WHERE ",
            found!($database, $from),
            " AND (i.is_published OR i.creator_id = $2 OR $3)
                AND ($7 IS NULL OR $7 = CASE
                    WHEN i.closed_for_good_at IS NOT NULL OR i.ends_at <= $8 THEN 'CLOSED'
                    WHEN NOT i.is_published THEN 'DRAFT'
                    WHEN i.starts_at > $8 THEN 'SCHEDULED'
                    ELSE 'OPEN' END)
                AND (NOT $9 OR EXISTS (
                    SELECT 1 FROM watches w
                    WHERE w.auction_id = $1 AND w.user_id = $2 AND w.item_id = i.id))"
        )
    };
}

/// The ids of the items of a page, with their keys.
macro_rules! ids {
    // These keys are found by several queries for each item, which are executed once if all keys are found
    // before the items are sorted.
    ($database:ident, $from:ident, bids) => {
        ids!(keyed $database, $from, bids)
    };
    ($database:ident, $from:ident, price) => {
        ids!(keyed $database, $from, price)
    };
    (keyed $database:ident, $from:ident, $sort:ident) => {
        concatcp!(
            "WITH keyed AS MATERIALIZED (",
            listed!($database, $from, $sort),
            ") SELECT id, sort_key FROM keyed WHERE (sort_key, id) ",
            direction!(past, $sort),
            " ($10, $11) ORDER BY sort_key ",
            direction!(order, $sort),
            ", id ",
            direction!(order, $sort),
            " LIMIT $12"
        )
    };
    ($database:ident, $from:ident, $sort:ident) => {
        concatcp!(
            listed!($database, $from, $sort),
            " AND (",
            key!($database, $sort),
            ", i.id) ",
            direction!(past, $sort),
            " ($10, $11) ORDER BY ",
            key!($database, $sort),
            " ",
            direction!(order, $sort),
            ", i.id ",
            direction!(order, $sort),
            " LIMIT $12"
        )
    };
}

/// A page of items. The inner query finds their ids, so that only the rows of the page are read and sorted as
/// a whole.
macro_rules! page {
    ($database:ident, $from:ident, $sort:ident) => {
        concatcp!(
            "SELECT CAST(page.sort_key AS TEXT) AS list_key, ",
            LISTED_COLUMNS,
            " FROM (",
            ids!($database, $from, $sort),
            ") AS page JOIN items_now i ON i.id = page.id",
            JOINS,
            "ORDER BY page.sort_key ",
            direction!(order, $sort),
            ", page.id ",
            direction!(order, $sort)
        )
    };
    ($from:ident, $sort:ident) => {
        Sql { sqlite: page!(sqlite, $from, $sort), postgres: page!(postgres, $from, $sort) }
    };
    ($sort:ident) => {
        (page!(all, $sort), page!(found, $sort))
    };
}

fn statement(sort: ItemSort, is_search: bool) -> Sql {
    let (all, found) = match sort {
        ItemSort::Lot => page!(lot),
        ItemSort::End => page!(end),
        ItemSort::Price => page!(price),
        ItemSort::Name => page!(name),
        ItemSort::Newest => page!(newest),
        ItemSort::Bids => page!(bids),
    };
    if is_search { found } else { all }
}

/// An item with what its list is ordered by.
#[derive(sqlx_macros::FromRow)]
struct ListedRow {
    list_key: String,
    #[sqlx(flatten)]
    item: ItemRow,
}

/// A page of items with their places in the list.
pub async fn list(
    conn: &mut Connection,
    auction_id: AuctionId,
    listed: Listed<'_>,
) -> Result<Vec<(ItemPlace, Item)>, DbError> {
    let Listed { filter, sort, .. } = listed;
    let after = listed.after.unwrap_or_else(|| before_all(sort));
    let words = filter.text.as_ref().map(SearchText::words).unwrap_or_default();
    let word = |at: usize| words.get(at).map_or("", String::as_str);
    let mut query = query(statement(sort, !words.is_empty()))
        .bind(auction_id)
        .bind(listed.viewer)
        .bind(listed.all_drafts)
        .bind(word(0))
        .bind(word(1))
        .bind(json(&words.get(2..).unwrap_or_default())?)
        .bind(filter.status.map(ItemStatus::as_str))
        .bind(listed.now)
        .bind(filter.watched);
    query = match after.key {
        SortKey::Number(number) => query.bind(number),
        SortKey::Text(text) => query.bind(text),
    };
    query = query.bind(after.id).bind(listed.limit);
    if sort == ItemSort::Price {
        query = query.bind(listed.is_legacy);
    }
    let rows: Vec<ListedRow> = query.fetch_all(&mut *conn).await?;
    let read = |row: ListedRow| {
        let item = Item::try_from(row.item)?;
        let key = SortKey::read(sort, &row.list_key);
        let key = key.ok_or_else(|| DbError::Corrupt(format!("the sort key `{}`", row.list_key)))?;
        Ok((ItemPlace { sort, key, id: item.id }, item))
    };
    let mut listed = rows.into_iter().map(read).collect::<Result<Vec<_>, DbError>>()?;
    super::read_apart(conn, listed.iter_mut().map(|(_, item)| item)).await?;
    Ok(listed)
}

/// A place before the first item of a list.
fn before_all(sort: ItemSort) -> ItemPlace {
    let (number, id) = if sort.descends() { (i64::MAX, Uuid::max()) } else { (i64::MIN, Uuid::nil()) };
    let key = if sort.is_by_text() { SortKey::Text(String::new()) } else { SortKey::Number(number) };
    ItemPlace { sort, key, id: ItemId::of(id) }
}
