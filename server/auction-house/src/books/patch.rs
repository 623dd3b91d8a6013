//! Changes a book, and closes or opens it.

use super::BookTerms;
use super::access::authorize;
use super::{Book, BookStatus, BookView, store};
use crate::codes;
use crate::context::Context;
use crate::ids::{BookId, UserId};
use crate::locks::LockingWrites;
use crate::usage;
use platform::body::Body;
use platform::precondition::Precondition;
use platform::refusals;
use platform::verb::VerbError;

refusals! {
    /// Why a book is not changed.
    pub enum PatchBookRefusal {
        InUse => codes::IN_USE, "An auction of this book is open: close the auction first.";
        /// The amounts of entries and bids are in the unit.
        Frozen => codes::FROZEN, "The unit is fixed once the book has entries or auctions.";
    }
}

/// Applies a merge patch. A patch without effect keeps the version.
pub async fn patch_book(
    context: &Context,
    book_id: BookId,
    user: UserId,
    patch: impl Body,
    if_match: &Precondition,
) -> Result<BookView, VerbError<PatchBookRefusal>> {
    let now = context.clock.now();
    let mut db = context.db.write_in_book(book_id).await?;
    let seen = authorize(&mut db, book_id, user).await?.require_owner()?;
    let terms = BookTerms::patched(&seen.book, patch.read()?)?;
    if_match.check(seen.book.version)?;
    let had = &seen.book.terms;
    if terms == *had {
        return Ok(seen);
    }
    if terms.base_unit != had.base_unit && usage::book_is_used(&mut db, book_id).await? {
        return Err(PatchBookRefusal::Frozen.into());
    }
    let closes = (had.status, terms.status) == (BookStatus::Open, BookStatus::Closed);
    if closes && usage::book_has_open_auction(&mut db, book_id).await? {
        return Err(PatchBookRefusal::InUse.into());
    }
    let closed_at = match terms.status {
        BookStatus::Closed => seen.book.closed_at.or(Some(now)),
        BookStatus::Open => None,
    };
    let book = Book { terms, closed_at, version: seen.book.version + 1, updated_at: now, ..seen.book };
    store::update(&mut db, &book).await?;
    db.commit().await?;
    Ok(BookView { book, ..seen })
}
