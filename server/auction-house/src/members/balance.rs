//! What a member has in the book of the auction.

use std::convert::Infallible;

use crate::auctions::access::AuctionView;
use crate::books::funds::{self, Funds};
use crate::ids::BookId;
use platform::db::Connection;
use platform::verb::VerbError;

/// Not found without a book. Only members have a balance.
pub async fn balance(
    conn: &mut Connection,
    seen: &AuctionView,
) -> Result<(BookId, Funds), VerbError<Infallible>> {
    if seen.role.is_none() {
        return Err(VerbError::Forbidden);
    }
    let book_id = seen.auction.terms.book_id.ok_or(VerbError::NotFound)?;
    Ok((book_id, funds::of(conn, book_id, seen.viewer).await?))
}
