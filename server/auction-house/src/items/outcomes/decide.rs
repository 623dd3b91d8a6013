//! Decides again to whom a closed item is sold: to the bidder of another standing bid, or to nobody.

use super::apply::{BookClosed, Written, apply};
use super::{CopyNumber, OutcomeResult, REASON_CHARS};
use crate::access::Action;
use crate::books::state::Commitment;
use crate::codes;
use crate::context::Context;
use crate::creations::{Created, Creation};
use crate::ids::{ItemId, UserId};
use crate::items::access::{ItemView, view_in_auction};
use crate::items::store::outcomes as store;
use crate::locks::LockingWrites;
use crate::path::ItemPath;
use platform::body::Body;
use platform::fields::FieldError;
use platform::precondition::Precondition;
use platform::refusals;
use platform::shape::{self, Members, Shape};
use platform::verb::VerbError;

/// The bid that the item is to be sold for, and why.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Decision {
    copy: CopyNumber,
    sequence: Option<i64>,
    reason: String,
}

impl Shape for Decision {
    const NAME: &'static str = "NewOutcome";

    fn members(&mut self, members: &mut Members<'_>) {
        members
            .integer_or_null("sequence", 1..=i64::MAX, &mut self.sequence)
            .about("A standing bid of the item; null sells it to nobody.");
        members.text("reason", REASON_CHARS, &mut self.reason);
        self.copy.member(members);
    }
}

refusals! {
    /// Why an outcome stays.
    pub enum DecideRefusal {
        NotClosed => codes::NOT_CLOSED, "The item is not closed: it has no outcome yet.";
        Cancelled => codes::CLOSED, "The item was cancelled: its outcome stays.";
        NotDrawn => codes::NOT_SOLD, "The item was closed without a draw: nobody has paid for tickets.";
        BookClosed => codes::CLOSED, "The auction's book is closed: what it has charged stays.";
    }
}

impl From<BookClosed> for DecideRefusal {
    fn from(BookClosed: BookClosed) -> Self {
        Self::BookClosed
    }
}

/// Adds the outcome that is in force from now on, not yet collected, and not yet paid unless a book is
/// charged for it.
pub async fn decide_outcome(
    context: &Context,
    path: ItemPath,
    user: UserId,
    body: impl Body,
    if_match: &Precondition,
) -> Result<Created<ItemView>, VerbError<DecideRefusal>> {
    let now = context.clock.now();
    let ItemPath { auction_id, item_id } = path;
    let mut db = context.db.write_in(&[auction_id]).await?;
    let (auction, seen) = view_in_auction(&mut db, auction_id, item_id, user, now).await?;
    let auction = auction.require(Action::DecideOutcomes)?;
    let (object, creation) = Creation::read_call(&mut db, item_id, body, now).await?;
    if creation.replays::<ItemId>().is_some() {
        return Ok(Created::replayed(seen));
    }
    let decision: Decision = shape::parse(object)?;
    creation.check_key()?;
    let winner = match decision.sequence {
        Some(sequence) => {
            let bid = store::standing(&mut db, item_id, sequence).await?;
            let unknown = || vec![FieldError::new("sequence", "must be a standing bid of the item")];
            Some(bid.ok_or_else(unknown)?)
        }
        None => None,
    };
    if_match.check(seen.item.version)?;
    let had = decision.copy.of(&seen.item)?.ok_or(DecideRefusal::NotClosed)?;
    if had.result == OutcomeResult::Cancelled {
        return Err(DecideRefusal::Cancelled.into());
    }
    let is_draw = seen.item.terms.format.draw().is_some();
    if is_draw && !seen.item.was_drawn() {
        return Err(DecideRefusal::NotDrawn.into());
    }
    let next = store::NextOutcome::after(had, item_id, &decision.reason, user, now);
    store::decide(&mut db, next, winner).await?;
    let written = Written {
        auction: &auction,
        item_id,
        had,
        id: next.id,
        number: next.number,
        winner: winner.map(Commitment::from),
        // A prize has no price that a notification could say.
        sequence: decision.sequence.filter(|_| !is_draw),
        by: user,
        charges: !is_draw,
        creation: &creation,
    };
    apply(context, db, written, now).await
}
