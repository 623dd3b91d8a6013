//! A changed auction. Where its end or the mode of its items' ends changes, the items' ends follow.

use super::access::{AccessError, SeenAuction, see};
use super::body::read_terms;
use super::{Auction, ItemEndMode, store};
use crate::access::Role;
use crate::context::{AuctionEnds, Context};
use crate::events::{self, Signal};
use crate::ids::{AuctionId, UserId};
use platform::db::DbError;
use platform::fields::{FieldError, Object};
use platform::precondition::{Outdated, Precondition};

#[derive(Debug, thiserror::Error)]
pub enum PatchAuctionError {
    #[error(transparent)]
    Access(#[from] AccessError),
    #[error("{} members do not fit", .0.len())]
    Invalid(Vec<FieldError>),
    #[error(transparent)]
    Outdated(#[from] Outdated),
    /// The auction itself, or what its end has closed.
    #[error("what is closed never opens again")]
    Closed,
}

impl From<DbError> for PatchAuctionError {
    fn from(error: DbError) -> Self {
        Self::Access(error.into())
    }
}

/// Lays `patch` on the auction. A patch that changes nothing makes no new version.
pub async fn patch_auction(
    context: &Context,
    auction_id: AuctionId,
    user: UserId,
    patch: Object,
    if_match: &Precondition,
) -> Result<SeenAuction, PatchAuctionError> {
    let now = context.clock.now();
    let mut db = context.db.write_in(&[auction_id]).await?;
    let seen = see(&mut db, auction_id, user, now).await?.require(Role::MANAGERS)?;
    let had = &seen.auction;
    let terms = read_terms(seen.as_body(now).patched(patch)).map_err(PatchAuctionError::Invalid)?;
    if terms.end_date != had.terms.end_date && terms.end_date.is_some_and(|end| end <= now) {
        let fault = FieldError { path: "endDate".to_owned(), message: "must lie in the future".to_owned() };
        return Err(PatchAuctionError::Invalid(vec![fault]));
    }
    if_match.check(had.version)?;
    let moves_ends = (terms.end_date, terms.item_end_mode) != (had.terms.end_date, had.terms.item_end_mode);
    // Items that ended with the auction would open again with another end, while others outlast it.
    if had.is_closed(now) || (moves_ends && had.has_ended(now)) {
        return Err(PatchAuctionError::Closed);
    }
    if terms == had.terms {
        return Ok(seen);
    }
    let changed = Auction { terms, version: had.version + 1, updated_at: now, ..had.clone() };
    store::update(&mut db, &changed).await?;
    let mut touched = Vec::new();
    if moves_ends {
        let ends = AuctionEnds {
            auction_id,
            end_date: changed.terms.end_date,
            items_may_differ: changed.terms.item_end_mode == ItemEndMode::Custom,
        };
        context.item_ends.refit(&mut db, ends, now).await?;
    }
    if moves_ends || changed.terms.bidder_visibility != had.terms.bidder_visibility {
        touched = events::store::record_all(&mut db, auction_id, now).await?;
    }
    db.commit().await?;
    context.events.publish(&Signal::Items(touched));
    Ok(SeenAuction { auction: changed, ..seen })
}
