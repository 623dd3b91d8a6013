//! The results of an auction in SQL.

use iso_currency::Currency as IsoCurrency;
use rules_engine::EnteredCount;
use rules_engine::money::{Amount, Normalized};

use super::{OutcomeRow, outcome_columns, outcome_tables};
use crate::engine::entered;
use crate::ids::{AuctionId, CurrencyId, ItemId, UserId};
use crate::items::outcomes::results::{ItemResult, ListedResult};
use crate::items::outcomes::{ResultKind, SoldBid};
use accounts::Person;
use platform::db::{Connection, DbError, Json, Parsed, for_each_row, query, rows};
use platform::time::Moment;

/// The cells of an [`ItemResult`], which are read by their places: an auction has thousands of results.
type ResultCells = (
    ItemId,
    bool,
    UserId,
    UserId,
    Option<Parsed<IsoCurrency>>,
    ResultKind,
    Option<Moment>,
    Option<Moment>,
    Option<UserId>,
    Option<String>,
    Option<i64>,
    Option<CurrencyId>,
    Option<Parsed<Amount>>,
    Option<Json<Vec<EnteredCount>>>,
    Option<Parsed<Normalized>>,
    Option<bool>,
);

/// The closed items of an auction with what counts of their outcomes in force, by lot number.
pub async fn results(conn: &mut Connection, auction_id: AuctionId) -> Result<Vec<ItemResult>, DbError> {
    let found: Vec<ResultCells> = query(
        "SELECT o.item_id, i.is_published, i.creator_id, i.seller_id, i.currency_code, o.result, o.paid_at,
                o.collected_at, o.winner_id, o.winner_name, o.sequence,
                COALESCE(w.currency_profile_id, o.currency_profile_id), COALESCE(w.amount, o.amount),
                COALESCE(w.representation, o.representation),
                COALESCE(w.normalized_amount, o.normalized_amount), w.is_anonymous
         FROM items_now i JOIN outcomes o ON o.item_id = i.id AND o.number = i.outcome_number
         LEFT JOIN bids w ON w.auction_id = o.auction_id AND w.position = o.position
         WHERE i.auction_id = $1 ORDER BY i.lot_key",
    )
    .bind(auction_id)
    .fetch_all(conn)
    .await?;
    found.into_iter().map(result).collect()
}

fn result(cells: ResultCells) -> Result<ItemResult, DbError> {
    let (item_id, is_published, creator_id, seller_id, currency_code, kind, paid_at, collected_at, ..) =
        cells;
    let (.., winner_id, winner_name, sequence, currency_id, amount, representation, normalized, is_anonymous) =
        cells;
    let lacks = |column: &str| DbError::missing("outcomes", column, item_id);
    let sold = match kind {
        ResultKind::Unsold | ResultKind::Cancelled => None,
        ResultKind::Sold => Some(SoldBid {
            winner: Person {
                id: winner_id.ok_or_else(|| lacks("winner_id"))?,
                name: winner_name.ok_or_else(|| lacks("winner_name"))?,
            },
            is_anonymous: is_anonymous.unwrap_or(sequence.is_some()),
            sequence,
            currency_id,
            entered: entered(amount.map(|amount| amount.0.into()), representation),
            normalized: normalized.ok_or_else(|| lacks("normalized_amount"))?.0,
        }),
    };
    Ok(ItemResult {
        item_id,
        is_published,
        creator_id,
        seller_id,
        iso_currency: currency_code.map(|code| code.0),
        kind,
        is_paid: paid_at.is_some(),
        is_collected: collected_at.is_some(),
        sold,
    })
}

#[derive(sqlx_macros::FromRow)]
struct ResultRow {
    item_id: ItemId,
    lot_number: String,
    item_name: String,
    currency_code: Option<Parsed<IsoCurrency>>,
    #[sqlx(flatten)]
    outcome: OutcomeRow,
}

/// The items, among these, that are closed, with their outcomes in force.
pub async fn in_force(
    conn: &mut Connection,
    items: impl IntoIterator<Item = ItemId>,
) -> Result<Vec<ListedResult>, DbError> {
    let found: Vec<ResultRow> = query(for_each_row!(
        concat!(
            "SELECT o.item_id, i.lot_number, i.name AS item_name, i.currency_code, ",
            outcome_columns!(),
            " FROM"
        ),
        [item_id id],
        concat!(
            "JOIN items_now i ON i.id = given.item_id
             JOIN outcomes o ON o.item_id = i.id AND o.number = i.outcome_number",
            outcome_tables!()
        )
    ))
    .bind(rows(items.into_iter().map(|id| [id]))?)
    .fetch_all(conn)
    .await?;
    let read = |row: ResultRow| {
        let outcome = row.outcome.read(row.item_id)?;
        let outcome = outcome.ok_or_else(|| DbError::missing("outcomes", "number", row.item_id))?;
        Ok(ListedResult {
            item_id: row.item_id,
            lot_number: row.lot_number,
            name: row.item_name,
            iso_currency: row.currency_code.map(|code| code.0),
            outcome,
        })
    };
    found.into_iter().map(read).collect()
}
