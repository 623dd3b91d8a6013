//! Leaves a book.

use crate::books::access::authorize;
use crate::books::{BookRole, store};
use crate::codes;
use crate::context::Context;
use crate::ids::{BookId, UserId};
use crate::locks::LockingWrites;
use crate::usage::{self, Commitments};
use platform::refusals;
use platform::verb::VerbError;

refusals! {
    /// Why a holder does not leave.
    pub enum LeaveRefusal {
        OwnerStays => codes::FORBIDDEN, "You own the book: make another holder its owner before you leave it.";
        NotOwn => codes::FORBIDDEN, "Holders leave a book by themselves.";
        Leads => codes::LEADS_OPEN_ITEMS, "You lead, or have a sealed bid or tickets, on an open item of this book: you can leave once it is closed, or your bid counts no more.";
        Member => codes::IN_USE, "You are a member of an open auction of this book: leave the auction first.";
    }
}

/// The entries stay, and so does the balance, which comes back with a later return.
pub async fn leave_book(
    context: &Context,
    book_id: BookId,
    user: UserId,
    holder_id: UserId,
) -> Result<(), VerbError<LeaveRefusal>> {
    let mut db = context.db.write_in_book(book_id).await?;
    let seen = authorize(&mut db, book_id, user).await?;
    if holder_id != user {
        return Err(LeaveRefusal::NotOwn.into());
    }
    if seen.role == BookRole::Owner {
        return Err(LeaveRefusal::OwnerStays.into());
    }
    if !usage::commitments_of(&mut db, &[book_id], user, Commitments::All).await?.is_empty() {
        return Err(LeaveRefusal::Leads.into());
    }
    if usage::is_in_open_auction_of_book(&mut db, book_id, user).await? {
        return Err(LeaveRefusal::Member.into());
    }
    store::holders::leave(&mut db, book_id, user, context.clock.now()).await?;
    Ok(db.commit().await?)
}
