//! Shares that outcomes cause, in SQL.

use crate::books::runs::BookRunKind;
use crate::books::runs::automatic::{
    EarlierRun, EarlierSale, EarlierState, NewSaleRun, SaleShareParams, SharesToWrite,
};
use crate::books::store::runs::listed;
use crate::ids::{BookId, ItemId, UserId};
use platform::db::{BulkStatement, Connection, DbError, Json, WriteBatch, bulk_statement, json, query, row};
use platform::time::Moment;

#[derive(sqlx_macros::FromRow)]
struct SaleRow {
    number: Option<i64>,
    params: Option<Json<SaleShareParams>>,
    reversed_at: Option<Moment>,
    reversed_by: Option<UserId>,
}

impl From<SaleRow> for EarlierSale {
    fn from(row: SaleRow) -> Self {
        let state = match (row.reversed_at, row.reversed_by) {
            (None, _) => EarlierState::InForce,
            (Some(_), None) => EarlierState::TakenBack,
            (Some(_), Some(_)) => EarlierState::ReversedByHand,
        };
        let run = row.number.zip(row.params);
        Self { run: run.map(|(number, params)| EarlierRun { number, params: params.0, state }) }
    }
}

/// The newest charge for a copy of an item, reversed or not, with its share; none of a copy that was never
/// charged for.
pub async fn newest_sale(
    conn: &mut Connection,
    book_id: BookId,
    (item_id, copy): (ItemId, i64),
) -> Result<Option<EarlierSale>, DbError> {
    let found: Option<SaleRow> = query(
        "SELECT r.number, r.params, r.reversed_at, r.reversed_by
         FROM book_entries e LEFT JOIN book_runs r ON r.outcome_id = e.outcome_id AND r.book_id = e.book_id
         WHERE e.book_id = $1 AND e.item_id = $2 AND e.outcome_copy = $3 AND e.kind = 'CHARGE'
         ORDER BY e.sequence DESC LIMIT 1",
    )
    .bind(book_id)
    .bind(item_id)
    .bind(copy)
    .fetch_optional(conn)
    .await?;
    Ok(found.map(Into::into))
}

/// Adds the runs that outcomes cause, and the reversals of runs of earlier outcomes, beside their entries.
pub fn write(
    writes: &mut WriteBatch,
    book_id: BookId,
    shares: &SharesToWrite,
    now: Moment,
) -> Result<(), DbError> {
    const RUNS: BulkStatement = bulk_statement!(insert book_runs [
        book_id uuid, number bigint, kind text, params text, listed text, reason text, kept text, auction_id uuid, item_id uuid,
        outcome_id uuid, created_at bigint,
    ]);
    const ROWS: BulkStatement = bulk_statement!(insert book_run_rows [
        book_id uuid, run bigint, position bigint, holder_id uuid, asked text, balance text,
    ]);
    const REVERSALS: BulkStatement = bulk_statement!(
        "UPDATE book_runs SET reversed_at = given.reversed_at, reversed_reason = given.reason FROM",
        [book_id uuid, number bigint, reversed_at bigint, reason text],
        "WHERE book_runs.book_id = given.book_id AND book_runs.number = given.number"
    );
    let mut runs = Vec::new();
    for run in &shares.runs {
        let NewSaleRun { number, params, reason, kept, auction_id, outcome_id, .. } = run;
        let shown = json(params)?;
        runs.push(row![
            book_id,
            *number,
            BookRunKind::Share,
            &shown,
            listed(&shown)?,
            reason,
            kept.to_string(),
            *auction_id,
            params.item_id,
            *outcome_id,
            now,
        ]);
    }
    writes.add(RUNS, runs);
    let without = shares.runs.iter().flat_map(|run| run.without.iter().map(move |row| (run.number, row)));
    let cells = without.map(|(run, without)| {
        let (asked, balance) = (without.asked.to_string(), without.balance.to_string());
        row![book_id, run, without.position, without.holder_id, asked, balance]
    });
    writes.add(ROWS, cells);
    writes
        .add(REVERSALS, shares.taken_back.iter().map(|(number, reason)| row![book_id, *number, now, reason]));
    Ok(())
}
