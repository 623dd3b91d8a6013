//! What would become of a bid, without placing it: judged on the last committed state.

use crate::access;
use crate::bids::access::find_item;
use crate::bids::entered::EnteredBid;
use crate::bids::evaluate::{Acceptance, evaluate};
use crate::bids::place::{BidError, authorize, check_open};
use crate::bids::pricing::PricingRules;
use crate::items::funds;
use crate::path::ItemPath;
use accounts::User;
use platform::db::Connection;
use platform::http::problem::Problem;
use platform::time::Moment;
use platform::verb::VerbError;

/// The verdict on a bid as of now, `read` from a request. Another bid may change it before this one is
/// placed.
///
/// # Errors
/// As for placing it.
pub async fn validate(
    conn: &mut Connection,
    path: ItemPath,
    user: &User,
    read: Result<EnteredBid, Problem>,
    now: Moment,
) -> Result<Acceptance, BidError> {
    let item = find_item(conn, path).await?.ok_or(VerbError::NotFound)?;
    let bidder = user.id;
    let standing = access::store::standing(conn, path.auction_id, bidder).await?;
    authorize(&item, bidder, standing, !user.is_managed())?;
    let entered = read?;
    let available = funds::available(conn, &item, bidder).await?;
    check_open(&item, now)?;
    let pricing = PricingRules::read(conn, path.auction_id).await?;
    let currency = pricing.choose(&item, entered.currency_profile_id())?;
    Ok(evaluate(&item, &pricing.compile(currency, &item)?, &entered, available, now)?)
}
