//! Lists of items in SQL: one statement for each order.

use std::sync::LazyLock;

use super::row::{ItemRow, JOINS, LISTED_COLUMNS};
use crate::ids::{AuctionId, ItemId, UserId};
use crate::items::list::{Filter, ItemPlace, ItemSort, SortKey};
use crate::items::{Item, ItemStatus};
use platform::db::{Connection, DbError, Query, Sql, json, query};
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

/// How the two databases differ.
struct Dialect {
    /// Where a text begins in another; 0 if that does not contain it.
    position: &'static str,
    /// Text has the order of its code points on both databases.
    collate: &'static str,
    /// The JSON array `$6` as a table.
    words: &'static str,
}

const SQLITE: Dialect = Dialect { position: "instr", collate: "", words: "json_each($6) AS word" };
const POSTGRES: Dialect = Dialect {
    position: "strpos",
    collate: " COLLATE \"C\"",
    words: "json_array_elements_text(CAST($6 AS json)) AS word (value)",
};

/// The statements of all lists, for each order without a search and with one. They are made once.
static STATEMENTS: LazyLock<[[Statements; 2]; ItemSort::ALL.len()]> = LazyLock::new(|| {
    ItemSort::ALL.map(|sort| [false, true].map(|is_search| Statements::of(sort, is_search)))
});

/// What is read of the items of a page.
#[derive(Clone, Copy)]
struct Statements {
    items: Sql,
    versions: Sql,
}

impl Statements {
    fn of(sort: ItemSort, is_search: bool) -> Self {
        let text = |dialect, columns, joins| -> &'static str {
            page(dialect, sort, is_search, columns, joins).leak()
        };
        let sql = |columns, joins| Sql {
            sqlite: text(&SQLITE, columns, joins),
            postgres: text(&POSTGRES, columns, joins),
        };
        Self {
            items: sql(LISTED_COLUMNS, JOINS),
            versions: sql("i.id, i.version + i.last_sequence AS version", ""),
        }
    }
}

/// A page of items. The inner query finds their ids, so that only the rows of the page are read and sorted as
/// a whole.
fn page(dialect: &Dialect, sort: ItemSort, is_search: bool, columns: &str, joins: &str) -> String {
    // The direction of the order, and the comparison of an item with the last one of the page before.
    let (order, past) = if sort.descends() { ("DESC", "<") } else { ("ASC", ">") };
    let ids = ids(dialect, sort, is_search, order, past);
    format!(
        "SELECT CAST(page.sort_key AS TEXT) AS list_key, {columns}
         FROM ({ids}) AS page JOIN items_now i ON i.id = page.id{joins}
         ORDER BY page.sort_key {order}, page.id {order}"
    )
}

/// The ids of the items of a page, with their keys.
fn ids(dialect: &Dialect, sort: ItemSort, is_search: bool, order: &str, past: &str) -> String {
    let key = key(dialect, sort);
    let from = match sort {
        ItemSort::Price => {
            "items_now i LEFT JOIN bids b ON b.auction_id = i.auction_id AND b.position = i.leading_position"
        }
        _ => "items_now i",
    };
    // SQLite reads tables in the order of a CROSS JOIN. PostgreSQL takes a parameter that is in the statement
    // only.
    let (searched, found) = match is_search {
        true => ("item_texts t CROSS JOIN ", found(dialect)),
        false => ("", "$4 = '' AND $5 = '' AND $6 = '[]' AND i.auction_id = $1".to_owned()),
    };
    let listed = format!(
        "SELECT i.id, {key} AS sort_key FROM {searched}{from} WHERE {found}
            AND (i.is_published OR i.creator_id = $2 OR $3)
            AND ($7 IS NULL OR $7 = CASE
                WHEN i.closed_for_good_at IS NOT NULL OR i.ends_at <= $8 THEN 'CLOSED'
                WHEN NOT i.is_published THEN 'DRAFT'
                WHEN i.starts_at > $8 THEN 'SCHEDULED'
                ELSE 'OPEN' END)
            AND (NOT $9 OR EXISTS (
                SELECT 1 FROM watches w
                WHERE w.auction_id = $1 AND w.user_id = $2 AND w.item_id = i.id))"
    );
    match sort {
        // These keys are found by several queries for each item, which are executed once if all keys are
        // found before the items are sorted.
        ItemSort::Bids | ItemSort::Price => format!(
            "WITH keyed AS MATERIALIZED ({listed}) SELECT id, sort_key FROM keyed
             WHERE (sort_key, id) {past} ($10, $11) ORDER BY sort_key {order}, id {order} LIMIT $12"
        ),
        ItemSort::Lot | ItemSort::End | ItemSort::Name | ItemSort::Newest => format!(
            "{listed} AND ({key}, i.id) {past} ($10, $11) ORDER BY {key} {order}, i.id {order} LIMIT $12"
        ),
    }
}

/// What a list is ordered by, before the id.
fn key(Dialect { position, collate, .. }: &Dialect, sort: ItemSort) -> String {
    match sort {
        ItemSort::Lot => "i.lot_key".to_owned(),
        ItemSort::End => "COALESCE(i.ends_at, 9223372036854775807)".to_owned(),
        // SQLite has no exact decimals. As texts, decimals of up to 16 integer digits have the order of their
        // values once they begin with zeros. An item without a price comes first.
        ItemSort::Price => format!(
            "COALESCE(substr('0000000000000000', {position}({PRICE} || '.', '.')) || {PRICE}, ''){collate}"
        ),
        ItemSort::Name => format!("i.name_folded{collate}"),
        ItemSort::Newest => "i.created_at".to_owned(),
        ItemSort::Bids => "i.last_sequence - i.withdrawals".to_owned(),
    }
}

/// The highest bid or else the least one.
const PRICE: &str =
    "COALESCE(b.normalized_amount, CASE WHEN $13 THEN i.starting_bid ELSE i.min_bid_normalized END)";

/// The items that a search finds: their texts contain `$4` and `$5`, and each word of the JSON array `$6`.
/// SQLite takes the first two much faster than a list.
fn found(Dialect { position, words, .. }: &Dialect) -> String {
    format!(
        "t.auction_id = $1 AND i.id = t.item_id AND {position}(t.text, $4) > 0 AND {position}(t.text, $5) > 0
         AND ($6 = '[]' OR NOT EXISTS (SELECT 1 FROM {words} WHERE {position}(t.text, word.value) = 0))"
    )
}

/// An item with what its list is ordered by.
#[derive(sqlx_macros::FromRow)]
struct ListedRow {
    list_key: String,
    #[sqlx(flatten)]
    item: ItemRow,
}

/// An item's version with what its list is ordered by.
#[derive(sqlx_macros::FromRow)]
struct VersionRow {
    list_key: String,
    id: ItemId,
    version: i64,
}

/// A page of items with their places in the list.
pub async fn list(
    conn: &mut Connection,
    auction_id: AuctionId,
    listed: Listed<'_>,
) -> Result<Vec<(ItemPlace, Item)>, DbError> {
    let sort = listed.sort;
    let query = bound(listed.statements().items, auction_id, listed)?;
    let rows: Vec<ListedRow> = query.fetch_all(&mut *conn).await?;
    let read = |row: ListedRow| {
        let item = Item::try_from(row.item)?;
        Ok((place(sort, &row.list_key, item.id)?, item))
    };
    let mut listed = rows.into_iter().map(read).collect::<Result<Vec<_>, DbError>>()?;
    super::read_apart(conn, listed.iter_mut().map(|(_, item)| item)).await?;
    Ok(listed)
}

/// The places of such a page with the versions of its items.
pub async fn list_versions(
    conn: &mut Connection,
    auction_id: AuctionId,
    listed: Listed<'_>,
) -> Result<Vec<(ItemPlace, i64)>, DbError> {
    let sort = listed.sort;
    let query = bound(listed.statements().versions, auction_id, listed)?;
    let rows: Vec<VersionRow> = query.fetch_all(conn).await?;
    rows.into_iter().map(|row| Ok((place(sort, &row.list_key, row.id)?, row.version))).collect()
}

fn place(sort: ItemSort, key: &str, id: ItemId) -> Result<ItemPlace, DbError> {
    let key = SortKey::read(sort, key).ok_or_else(|| DbError::Corrupt(format!("the sort key `{key}`")))?;
    Ok(ItemPlace { sort, key, id })
}

impl Listed<'_> {
    fn statements(&self) -> Statements {
        let is_search = self.filter.text.as_ref().is_some_and(|text| !text.words().is_empty());
        STATEMENTS[self.sort as usize][usize::from(is_search)]
    }
}

/// The statement with its parameters.
fn bound(statement: Sql, auction_id: AuctionId, listed: Listed<'_>) -> Result<Query, DbError> {
    let Listed { filter, sort, .. } = listed;
    let after = listed.after.unwrap_or_else(|| before_all(sort));
    let words = filter.text.as_ref().map(SearchText::words).unwrap_or_default();
    let word = |at: usize| words.get(at).map_or("", String::as_str);
    let mut query = query(statement)
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
    Ok(query)
}

/// A place before the first item of a list.
fn before_all(sort: ItemSort) -> ItemPlace {
    let (number, id) = if sort.descends() { (i64::MAX, Uuid::max()) } else { (i64::MIN, Uuid::nil()) };
    let key = if sort.is_by_text() { SortKey::Text(String::new()) } else { SortKey::Number(number) };
    ItemPlace { sort, key, id: ItemId::of(id) }
}
