//! Charges that are in force, for outcomes that take them back.

use rules_engine::money::Normalized;

use super::batch::Sale;
use crate::ids::{BookId, ItemId, OutcomeId, UserId};
use platform::db::{Connection, DbError, Parsed, concatcp, query};

/// A CHARGE that is not reversed.
#[derive(Debug, Clone)]
pub struct Charge {
    pub sequence: i64,
    pub holder_id: UserId,
    /// Below zero.
    pub amount: Normalized,
    pub item_id: ItemId,
    /// None for tickets that have won nothing.
    pub sale: Option<Sale>,
}

#[derive(sqlx_macros::FromRow)]
struct ChargeRow {
    sequence: i64,
    holder_id: UserId,
    amount: Parsed<Normalized>,
    outcome_id: Option<OutcomeId>,
    outcome_copy: Option<i64>,
    outcome_number: Option<i64>,
    by_id: Option<UserId>,
}

impl ChargeRow {
    fn read(self, item_id: ItemId) -> Charge {
        let outcome = self.outcome_id.zip(self.outcome_copy).zip(self.outcome_number);
        let by = self.by_id;
        Charge {
            sequence: self.sequence,
            holder_id: self.holder_id,
            amount: self.amount.0,
            item_id,
            sale: outcome.map(|((outcome_id, copy), number)| Sale { item_id, outcome_id, copy, number, by }),
        }
    }
}

const CHARGES: &str = "SELECT e.sequence, e.holder_id, e.amount, e.outcome_id, e.outcome_copy, e.outcome_number, e.by_id
             FROM book_entries e
             WHERE e.book_id = $1 AND e.item_id = $2 AND e.kind = 'CHARGE'
               AND NOT EXISTS (SELECT 1 FROM book_entries r WHERE r.book_id = e.book_id AND r.reverses = e.sequence) ";

/// The CHARGE for a copy of an item that is not reversed, if there is one.
pub async fn charge_of(
    conn: &mut Connection,
    book_id: BookId,
    item_id: ItemId,
    copy: i64,
) -> Result<Option<Charge>, DbError> {
    let row: Option<ChargeRow> = query(concatcp!(CHARGES, "AND e.outcome_copy = $3"))
        .bind(book_id)
        .bind(item_id)
        .bind(copy)
        .fetch_optional(conn)
        .await?;
    Ok(row.map(|row| row.read(item_id)))
}

/// Every CHARGE for an item that is not reversed, in their order.
pub async fn charges_of(
    conn: &mut Connection,
    book_id: BookId,
    item_id: ItemId,
) -> Result<Vec<Charge>, DbError> {
    let found: Vec<ChargeRow> =
        query(concatcp!(CHARGES, "ORDER BY e.sequence")).bind(book_id).bind(item_id).fetch_all(conn).await?;
    Ok(found.into_iter().map(|row| row.read(item_id)).collect())
}
