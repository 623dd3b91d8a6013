//! What would become of a bid, without placing it: judged on the last committed state.

use rules_engine::money::Normalized;

use crate::bids::access::BidCheckError;
use crate::bids::batch::judge::{self, Acceptance, Rejection};
use crate::bids::entered::EnteredBid;
use crate::bids::pricing::PricingRules;
use crate::items::bidding::BidItem;
use platform::db::Connection;
use platform::time::Moment;

/// The verdict on a bid as of now, by a user who [may bid](super::access::may_bid) on the item, and has so much
/// [available](super::access::available) for it. Another bid may change it before this one is placed.
///
/// # Errors
/// As for placing it, except broken rules, which are the verdict.
pub async fn validate(
    conn: &mut Connection,
    item: &BidItem,
    entered: &EnteredBid,
    available: Option<Normalized>,
    now: Moment,
) -> Result<Result<Acceptance, Rejection>, BidCheckError> {
    judge::check_open(item, now)?;
    let pricing = PricingRules::read(conn, item.auction_id).await?;
    let currency = match pricing.choose(item, entered.currency_profile_id()) {
        Ok(currency) => currency,
        Err(rejection) => return Ok(Err(rejection)),
    };
    Ok(judge::evaluate(item, &pricing.compile(currency, item)?, entered, available, now))
}
