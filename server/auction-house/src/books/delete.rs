//! Deletes a book without entries and auctions.

use super::access::authorize;
use super::store;
use crate::codes;
use crate::context::Context;
use crate::ids::{BookId, UserId};
use crate::locks::LockingWrites;
use crate::usage;
use platform::precondition::Precondition;
use platform::refusals;
use platform::verb::VerbError;

refusals! {
    /// Why a book is not deleted.
    pub enum DeleteBookRefusal {
        /// The record of what people own is never erased.
        InUse => codes::IN_USE, "The book has entries or auctions: its record stays for good.";
    }
}

pub async fn delete_book(
    context: &Context,
    book_id: BookId,
    user: UserId,
    if_match: &Precondition,
) -> Result<(), VerbError<DeleteBookRefusal>> {
    let mut db = context.db.write_in_book(book_id).await?;
    let seen = authorize(&mut db, book_id, user).await?.require_owner()?;
    if_match.check(seen.book.version)?;
    if usage::book_is_used(&mut db, book_id).await? {
        return Err(DeleteBookRefusal::InUse.into());
    }
    store::delete(&mut db, book_id).await?;
    Ok(db.commit().await?)
}
