//! What would become of a bid, without placing it: the same judgement on the last state committed.

use crate::bids::entered::EnteredBid;
use crate::bids::judge::{self, Acceptance, Refusal, Rejection};
use crate::bids::market::Market;
use crate::items::bidding::BidItem;
use platform::db::{Connection, DbError};
use platform::time::Moment;

/// Why a bid gets no verdict.
#[derive(Debug, thiserror::Error)]
pub enum ValidateError {
    #[error("the bid may not be judged: {0}")]
    Refused(#[from] Refusal),
    #[error(transparent)]
    Database(#[from] DbError),
}

/// The verdict on the bid of somebody who may bid on the item, as of now. Another bid may change it before this one is placed.
///
/// # Errors
/// As for placing it, save for broken rules, which are the verdict.
pub async fn validate(
    conn: &mut Connection,
    item: &BidItem,
    entered: &EnteredBid,
    now: Moment,
) -> Result<Result<Acceptance, Rejection>, ValidateError> {
    judge::admit(item, now)?;
    let market = Market::read(conn, item.auction_id).await?;
    let choice = match market.choose(entered.currency_profile_id()) {
        Ok(choice) => choice,
        Err(rejection) => return Ok(Err(rejection)),
    };
    Ok(judge::judge(item, &market.compile(choice, item)?, entered, now))
}
