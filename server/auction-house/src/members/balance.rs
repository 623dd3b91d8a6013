//! What a member has in the book of the auction.

use std::convert::Infallible;

use crate::auctions::access::authorize;
use crate::books::funds::{self, Funds};
use crate::context::Context;
use crate::ids::{AuctionId, BookId, UserId};
use platform::verb::VerbError;

/// Not found without a book. Only members have a balance.
pub async fn balance(
    context: &Context,
    auction_id: AuctionId,
    user: UserId,
) -> Result<(BookId, Funds), VerbError<Infallible>> {
    let mut db = context.db.read().await?;
    let seen = authorize(&mut db, auction_id, user, context.clock.now()).await?;
    if seen.role.is_none() {
        return Err(VerbError::Forbidden);
    }
    let book_id = seen.auction.terms.book_id.ok_or(VerbError::NotFound)?;
    Ok((book_id, funds::of(&mut db, book_id, user).await?))
}
