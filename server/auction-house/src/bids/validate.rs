//! What would become of a bid, without placing it: judged on the last committed state.

use crate::access;
use crate::bids::access::{authorize_clerk, find_item};
use crate::bids::entered::BidOf;
use crate::bids::evaluate::{Acceptance, evaluate};
use crate::bids::place::{BidError, BidRefusal, authorize, check_open};
use crate::bids::pricing::PricingRules;
use crate::bids::{store, tickets};
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
/// The errors of placing it.
pub async fn validate(
    conn: &mut Connection,
    path: ItemPath,
    user: &User,
    read: Result<BidOf, Problem>,
    now: Moment,
) -> Result<Acceptance, BidError> {
    let item = find_item(conn, path).await?.ok_or(VerbError::NotFound)?;
    let standing = access::store::standing(conn, path.auction_id, user.id).await?;
    let (entered, bidder) = match read {
        Ok(BidOf { entered, named: Some(named) }) => {
            authorize_clerk(&item, user.id, standing.role())?;
            (entered, named.find(conn, path.auction_id).await??.id)
        }
        read => {
            authorize(&item, user.id, standing, !user.is_managed())?;
            (read?.entered, user.id)
        }
    };
    if item.seller_id == bidder {
        return Err(BidRefusal::OwnItem.into());
    }
    let own = if item.has_bids_apart() {
        store::sealed::standing_of(conn, &[(bidder, path.item_id)]).await?
    } else {
        Vec::new()
    };
    let replaced = own.last().filter(|_| item.is_sealed()).map(|own| own.normalized);
    let available = funds::available(conn, &item, bidder, replaced).await?;
    check_open(&item, now)?;
    let pricing = PricingRules::read(conn, path.auction_id).await?;
    if let Some(terms) = item.format.draw() {
        let held = tickets::held(&own);
        return Ok(tickets::evaluate(&item, terms, &pricing, &entered, held, available)?.accepted);
    }
    tickets::refuse(&entered)?;
    let currency = pricing.choose(&item, entered.currency_profile_id())?;
    Ok(evaluate(&item, &pricing.compile(currency, &item)?, &entered, available, now)?)
}
