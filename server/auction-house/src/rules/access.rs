//! Authorization for a currency rule.

use super::{CurrencyRule, store};
use crate::access::Action;
use crate::auctions::access::{AccessError, authorize};
use crate::ids::{AuctionId, RuleId, UserId};
use platform::db::Connection;
use platform::time::Moment;

/// The rule, for a user who sees the auction.
pub async fn view_rule(
    conn: &mut Connection,
    auction_id: AuctionId,
    rule_id: RuleId,
    viewer: UserId,
    now: Moment,
) -> Result<CurrencyRule, AccessError> {
    authorize(conn, auction_id, viewer, now).await?;
    find(conn, auction_id, rule_id).await
}

/// The rule, for a user who may change it: OWNER and ADMIN.
pub async fn manage_rule(
    conn: &mut Connection,
    auction_id: AuctionId,
    rule_id: RuleId,
    user: UserId,
    now: Moment,
) -> Result<CurrencyRule, AccessError> {
    authorize(conn, auction_id, user, now).await?.require(Action::ManageCurrencies)?;
    find(conn, auction_id, rule_id).await
}

/// The rule, for a user who is authorized to see its auction.
pub(super) async fn find(
    conn: &mut Connection,
    auction_id: AuctionId,
    rule_id: RuleId,
) -> Result<CurrencyRule, AccessError> {
    let rules = store::of_auction(conn, auction_id).await?;
    rules.into_iter().find(|rule| rule.id == rule_id).ok_or(AccessError::NotFound)
}
