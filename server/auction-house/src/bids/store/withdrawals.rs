//! Withdrawals in SQL.

use rules_engine::money::Normalized;

use crate::bids::Bid;
use crate::bids::withdrawal::{Withdrawal, WithdrawalReason, WithdrawnBy};
use crate::ids::{AuctionId, ItemId, UserId};
use crate::items::bidding::LeadingBid;
use crate::usage::ledger::{LedgerRange, in_ranges, ranges};
use platform::db::{
    BulkStatement, Connection, DbError, Parsed, WriteBatch, bulk_statement, query, query_scalar, row,
};
use platform::time::Moment;

/// The columns of a withdrawal beside those of its bid, all absent or all but the note present.
#[derive(sqlx_macros::FromRow)]
pub(super) struct StoredWithdrawal {
    withdrawal_number: Option<i64>,
    withdrawn_at: Option<Moment>,
    withdrawn_by: Option<WithdrawnBy>,
    withdrawal_user_id: Option<UserId>,
    withdrawal_reason: Option<WithdrawalReason>,
    withdrawal_note: Option<String>,
}

impl StoredWithdrawal {
    /// The withdrawal of the bid, if it was withdrawn.
    pub(super) fn read(self, item_id: ItemId) -> Result<Option<Withdrawal>, DbError> {
        let Some(number) = self.withdrawal_number else { return Ok(None) };
        let lacks = |column: &str| DbError::missing("withdrawals", column, item_id);
        Ok(Some(Withdrawal {
            number,
            at: self.withdrawn_at.ok_or_else(|| lacks("withdrawn_at"))?,
            by: self.withdrawn_by.ok_or_else(|| lacks("withdrawn_by"))?,
            user_id: self.withdrawal_user_id.ok_or_else(|| lacks("user_id"))?,
            reason: self.withdrawal_reason.ok_or_else(|| lacks("reason"))?,
            note: self.withdrawal_note,
        }))
    }
}

/// Adds the withdrawals of bids, each with the position of the newest bid of its item. `head` is the last
/// position of an auction's events with those of the transaction.
pub fn insert<'a>(
    writes: &mut WriteBatch,
    bids: impl Iterator<Item = (&'a Bid, i64)>,
    head: impl Fn(AuctionId) -> Option<i64>,
) -> Result<(), DbError> {
    const STATEMENT: BulkStatement = bulk_statement!(insert withdrawals [
        item_id uuid, sequence bigint, position bigint, number bigint, auction_id uuid, withdrawn_by text, user_id uuid,
        reason text, note text, withdrawn_at bigint, newest bigint, head bigint,
    ]);
    let row = |(bid, newest): (&Bid, i64)| {
        let missing = || DbError::missing("event_heads", "last_position", bid.auction_id);
        let Some(withdrawal) = bid.withdrawn.as_ref() else { return Ok(None) };
        Ok(Some(row![
            bid.item_id,
            bid.sequence,
            bid.position,
            withdrawal.number,
            bid.auction_id,
            withdrawal.by,
            withdrawal.user_id,
            withdrawal.reason,
            &withdrawal.note,
            withdrawal.at,
            newest,
            head(bid.auction_id).ok_or_else(missing)?,
        ]))
    };
    let rows = bids.map(row).filter_map(Result::transpose).collect::<Result<Vec<_>, DbError>>()?;
    writes.add(STATEMENT, rows);
    Ok(())
}

/// Sequence, position, bidder and amount of a bid, and the number of its withdrawal.
type BidCells = (i64, i64, UserId, Parsed<Normalized>, Option<i64>);

/// The highest standing bids of an item above a sequence, the highest first.
pub async fn highest_standing(
    conn: &mut Connection,
    item_id: ItemId,
    after: i64,
) -> Result<Vec<LeadingBid>, DbError> {
    let rows: Vec<BidCells> = query(in_ranges!(
        "b.sequence, b.position, b.bidder_id, b.normalized_amount, w.number",
        "LEFT JOIN withdrawals w ON w.item_id = b.item_id AND w.sequence = b.sequence",
        "ORDER BY b.sequence DESC"
    ))
    .bind(ranges([LedgerRange::from(item_id, after + 1)])?)
    .fetch_all(conn)
    .await?;
    let standing = rows.into_iter().filter(|(.., withdrawal)| withdrawal.is_none());
    let bid = |(sequence, position, bidder_id, Parsed(normalized), _)| LeadingBid {
        sequence,
        position,
        bidder_id,
        normalized,
    };
    Ok(standing.map(bid).collect())
}

/// How many of their own bids a user has withdrawn in an auction.
pub async fn count_of_bidder(
    conn: &mut Connection,
    auction_id: AuctionId,
    user_id: UserId,
) -> Result<i64, DbError> {
    let sql = "SELECT COUNT(*) FROM withdrawals
               WHERE auction_id = $1 AND user_id = $2 AND withdrawn_by = 'BIDDER'";
    query_scalar(sql).bind(auction_id).bind(user_id).fetch_one(conn).await
}

/// The items and sequences of an auction's withdrawn bids.
pub async fn of_auction(
    conn: &mut Connection,
    auction_id: AuctionId,
    limit: i64,
) -> Result<Vec<(ItemId, i64)>, DbError> {
    query(
        "SELECT item_id, sequence FROM withdrawals WHERE auction_id = $1
         ORDER BY item_id, sequence LIMIT $2",
    )
    .bind(auction_id)
    .bind(limit)
    .fetch_all(conn)
    .await
}
