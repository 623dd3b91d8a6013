//! What a member has in the book of the auction.

use std::convert::Infallible;

use rules_engine::money::Normalized;

use crate::auctions::access::AuctionView;
use crate::books::funds::{self, Funds};
use crate::ids::{BookId, ItemId};
use crate::usage;
use platform::db::Connection;
use platform::verb::VerbError;

/// What a member has in a book, and what of it is available.
#[derive(Debug)]
pub struct Balance {
    pub book_id: BookId,
    pub funds: Funds,
    /// For any item, or for the one that was asked about: a higher bid on it replaces the member's own.
    pub available: Normalized,
}

/// Not found without a book. Only members have a balance.
pub async fn balance(
    conn: &mut Connection,
    seen: &AuctionView,
    item_id: Option<ItemId>,
) -> Result<Balance, VerbError<Infallible>> {
    if seen.role.is_none() {
        return Err(VerbError::Forbidden);
    }
    let book_id = seen.auction.terms.book_id.ok_or(VerbError::NotFound)?;
    let funds = funds::of(conn, book_id, seen.viewer).await?;
    let available = match item_id {
        Some(item_id) => {
            let own = usage::commitment_for(conn, seen.auction.id, item_id, seen.viewer).await?;
            funds.available_for(own)
        }
        None => funds.available(),
    };
    Ok(Balance { book_id, funds, available })
}
