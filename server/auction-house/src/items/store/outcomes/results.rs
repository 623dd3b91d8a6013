//! The results of an auction in SQL.

use iso_currency::Currency as IsoCurrency;
use rules_engine::EnteredCount;
use rules_engine::money::{Amount, Normalized};

use super::{OUTCOME_COLUMNS, OUTCOME_TABLES, OutcomeRow};
use crate::engine::entered;
use crate::ids::{AuctionId, CurrencyId, ItemId, UserId};
use crate::items::format::FormatKind;
use crate::items::outcomes::results::{ItemResult, ListedResult};
use crate::items::outcomes::{ResultKind, SoldBid};
use accounts::Person;
use platform::db::{Connection, DbError, Json, Parsed, concatcp, for_each_row, query, rows};
use platform::time::Moment;

#[derive(sqlx_macros::FromRow)]
struct ItemResultRow {
    item_id: ItemId,
    copy: i64,
    format: FormatKind,
    is_published: bool,
    creator_id: UserId,
    seller_id: UserId,
    currency_code: Option<Parsed<IsoCurrency>>,
    result: ResultKind,
    paid_at: Option<Moment>,
    collected_at: Option<Moment>,
    winner_id: Option<UserId>,
    winner_name: Option<String>,
    sequence: Option<i64>,
    profile_id: Option<CurrencyId>,
    sold_amount: Option<Parsed<Amount>>,
    sold_representation: Option<Json<Vec<EnteredCount>>>,
    sold_normalized: Option<Parsed<Normalized>>,
    is_anonymous: Option<bool>,
}

/// The closed items of an auction with what counts of their outcomes in force, by lot number.
pub async fn results(conn: &mut Connection, auction_id: AuctionId) -> Result<Vec<ItemResult>, DbError> {
    let found: Vec<ItemResultRow> = query(
        "SELECT o.item_id, o.copy, i.format, i.is_published, i.creator_id, i.seller_id, i.currency_code, o.result, o.paid_at,
                o.collected_at, o.winner_id, o.winner_name, o.sequence,
                COALESCE(o.currency_profile_id, w.currency_profile_id) AS profile_id,
                COALESCE(o.amount, w.amount) AS sold_amount,
                COALESCE(o.representation, w.representation) AS sold_representation,
                COALESCE(o.normalized_amount, w.normalized_amount) AS sold_normalized, w.is_anonymous
         FROM items i JOIN outcomes_now o ON o.item_id = i.id
         LEFT JOIN bids w ON w.auction_id = o.auction_id AND w.position = o.position
         WHERE i.auction_id = $1 ORDER BY i.lot_key, o.copy",
    )
    .bind(auction_id)
    .fetch_all(conn)
    .await?;
    found.into_iter().map(result).collect()
}

fn result(row: ItemResultRow) -> Result<ItemResult, DbError> {
    let item_id = row.item_id;
    let lacks = |column: &str| DbError::missing("outcomes", column, item_id);
    let sold = match row.result {
        ResultKind::Unsold | ResultKind::Cancelled => None,
        ResultKind::Sold => Some(SoldBid {
            winner: Person {
                id: row.winner_id.ok_or_else(|| lacks("winner_id"))?,
                name: row.winner_name.ok_or_else(|| lacks("winner_name"))?,
            },
            is_anonymous: row.is_anonymous.unwrap_or(row.sequence.is_some()),
            sequence: row.sequence,
            currency_id: row.profile_id,
            entered: entered(row.sold_amount.map(|amount| amount.0.into()), row.sold_representation),
            // A prize has no price: tickets are paid, also those that win nothing.
            normalized: match row.format {
                FormatKind::Draw => Normalized::ZERO,
                FormatKind::Open | FormatKind::Sealed => {
                    row.sold_normalized.ok_or_else(|| lacks("normalized_amount"))?.0
                }
            },
        }),
    };
    Ok(ItemResult {
        item_id,
        copy: row.copy,
        is_published: row.is_published,
        creator_id: row.creator_id,
        seller_id: row.seller_id,
        iso_currency: row.currency_code.map(|code| code.0),
        kind: row.result,
        is_paid: row.paid_at.is_some(),
        is_collected: row.collected_at.is_some(),
        sold,
    })
}

#[derive(sqlx_macros::FromRow)]
struct ResultRow {
    item_id: ItemId,
    lot_number: String,
    item_name: String,
    currency_code: Option<Parsed<IsoCurrency>>,
    copies: i64,
    format: FormatKind,
    #[sqlx(flatten)]
    outcome: OutcomeRow,
}

/// The copies of items, among these, that are closed, with their outcomes in force.
pub async fn in_force(
    conn: &mut Connection,
    copies: impl IntoIterator<Item = (ItemId, i64)>,
) -> Result<Vec<ListedResult>, DbError> {
    let found: Vec<ResultRow> = query(for_each_row!(
        concatcp!(
            "SELECT o.item_id, i.lot_number, i.name AS item_name, i.currency_code, i.copies, i.format, ",
            OUTCOME_COLUMNS,
            " FROM"
        ),
        [item_id id, copy bigint],
        concatcp!(
            "JOIN items i ON i.id = given.item_id
             JOIN outcomes_now o ON o.item_id = i.id AND o.copy = given.copy",
            OUTCOME_TABLES
        )
    ))
    .bind(rows(copies)?)
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
            copies: row.copies,
            is_draw: row.format == FormatKind::Draw,
            outcome,
        })
    };
    found.into_iter().map(read).collect()
}
