//! Reverses a grant.

use super::notify::notify;
use crate::books::access::authorize;
use crate::books::posting::{Posted, Posting};
use crate::books::state::OutOfBounds;
use crate::books::{Entry, EntryKind, store};
use crate::codes;
use crate::context::Context;
use crate::ids::{BookId, UserId};
use crate::locks::LockingWrites;
use platform::body::Body;
use platform::refusals;
use platform::shape::{self, Members, Shape};
use platform::verb::VerbError;

/// Why an entry is reversed.
#[derive(Debug, Clone, Default)]
pub struct ReverseBody {
    pub reason: String,
}

impl Shape for ReverseBody {
    const NAME: &'static str = "ReverseBody";

    fn members(&mut self, members: &mut Members<'_>) {
        members.text("reason", 1..=500, &mut self.reason);
    }
}

refusals! {
    /// Why an entry is not reversed.
    pub enum ReverseRefusal {
        Closed => codes::CLOSED, "The book is closed: it takes no more entries.";
        NotReversible => codes::NOT_REVERSIBLE, "Only grants are reversed alone: a charge follows the outcome of its item, a share and a decay their run.";
        AlreadyReversed => codes::ALREADY_REVERSED, "This entry was reversed already.";
        Balance => codes::NOT_REVERSIBLE, "The balance of the holder would exceed 10^15.";
    }
}

/// Writes an entry with the opposite amount.
pub async fn reverse(
    context: &Context,
    book_id: BookId,
    user: UserId,
    sequence: i64,
    body: impl Body,
) -> Result<Entry, VerbError<ReverseRefusal>> {
    let now = context.clock.now();
    let mut db = context.db.write_in_book(book_id).await?;
    let seen = authorize(&mut db, book_id, user).await?.require_keeper()?;
    let found = store::entries::between(&mut db, book_id, sequence, sequence).await?.pop();
    let entry = found.ok_or(VerbError::NotFound)?;
    let ReverseBody { reason } = shape::parse(body.read()?)?;
    if seen.book.is_closed() {
        return Err(ReverseRefusal::Closed.into());
    }
    if entry.kind != EntryKind::Grant {
        return Err(ReverseRefusal::NotReversible.into());
    }
    if entry.is_reversed {
        return Err(ReverseRefusal::AlreadyReversed.into());
    }
    let mut posting = Posting::locked(&mut db, book_id, [entry.holder.id]).await?;
    posting
        .book
        .reverse_entry((&entry).into(), reason, user)
        .map_err(|OutOfBounds| ReverseRefusal::Balance)?;
    let Posted { range, entries } = posting.write(&mut db, now).await?;
    let written = store::entries::between(&mut db, book_id, range.first, range.last).await?;
    let signal = notify(context, &mut db, &seen.book, &entries, user, now).await?;
    db.commit().await?;
    context.events.publish(&signal);
    written.into_iter().next().ok_or(VerbError::NotFound)
}
