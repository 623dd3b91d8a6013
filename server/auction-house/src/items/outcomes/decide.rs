//! Decides again to whom a closed item is sold: to the bidder of another standing bid, or to nobody.

use super::charges::charge_again;
use super::{Outcome, OutcomeResult, REASON_CHARS};
use crate::access::Action;
use crate::books::state::Commitment;
use crate::books::{self, store::batch::Sale};
use crate::codes;
use crate::context::Context;
use crate::events::store::ItemChange;
use crate::events::{self, Signal};
use crate::ids::{AuctionId, ItemId, OutcomeId, UserId};
use crate::items::access::{ItemView, view_in_auction, view_item};
use crate::items::store::outcomes as store;
use crate::locks::LockingWrites;
use crate::notifications::{Kind, NewNotification};
use platform::body::Body;
use platform::fields::FieldError;
use platform::precondition::Precondition;
use platform::refusals;
use platform::shape::{self, Members, Shape};
use platform::verb::VerbError;

/// The bid that the item is to be sold for, and why.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Decision {
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
    }
}

refusals! {
    /// Why an outcome stays.
    pub enum DecideRefusal {
        NotClosed => codes::NOT_CLOSED, "The item is not closed: it has no outcome yet.";
        Cancelled => codes::CLOSED, "The item was cancelled: its outcome stays.";
        BookClosed => codes::CLOSED, "The auction's book is closed: what it has charged stays.";
    }
}

/// Adds the outcome that is in force from now on, not yet collected, and not yet paid unless a book is
/// charged for it.
pub async fn decide_outcome(
    context: &Context,
    auction_id: AuctionId,
    item_id: ItemId,
    user: UserId,
    body: impl Body,
    if_match: &Precondition,
) -> Result<ItemView, VerbError<DecideRefusal>> {
    let now = context.clock.now();
    let mut db = context.db.write_in(&[auction_id]).await?;
    let (auction, seen) = view_in_auction(&mut db, auction_id, item_id, user, now).await?;
    let auction = auction.require(Action::DecideOutcomes)?;
    let decision: Decision = shape::parse(body.read()?)?;
    let winner = match decision.sequence {
        Some(sequence) => {
            let bid = store::standing(&mut db, item_id, sequence).await?;
            let unknown = || vec![FieldError::new("sequence", "must be a standing bid of the item")];
            Some(bid.ok_or_else(unknown)?)
        }
        None => None,
    };
    if_match.check(seen.item.version)?;
    let had = seen.item.outcome.ok_or(DecideRefusal::NotClosed)?;
    if had.result == OutcomeResult::Cancelled {
        return Err(DecideRefusal::Cancelled.into());
    }
    let id = OutcomeId::new(now);
    let decided = store::Decided {
        id,
        item_id,
        number: had.number + 1,
        bid: winner,
        reason: decision.reason,
        by: user,
    };
    store::decide(&mut db, decided, now).await?;
    if let Some(book_id) = auction.auction.terms.book_id {
        let sale = Sale { item_id, outcome_id: id, number: had.number + 1, by: Some(user) };
        charge_again(&mut db, book_id, sale, winner.map(Commitment::from), user, now).await?;
        if books::store::choice::is_closed(&mut db, book_id).await? {
            return Err(DecideRefusal::BookClosed.into());
        }
    }
    events::store::record_change(&mut db, auction_id, item_id, ItemChange::Edited, now).await?;
    let changed = view_item(&mut db, &auction, item_id).await?;
    let winner = |outcome: &Outcome| outcome.sold().map(|sold| sold.winner.id);
    let new_winner = changed.item.outcome.as_ref().and_then(winner);
    let new_winner = new_winner.filter(|id| *id != user && Some(*id) != winner(&had));
    let sequence = decision.sequence;
    let won = new_winner.map(|id| NewNotification::of_bid(id, Kind::Won, auction_id, item_id, sequence));
    let signal = context.notifier.notify(&mut db, won.as_slice(), now).await?;
    db.commit().await?;
    context.events.publish(&Signal::Items([(auction_id, item_id)].into()));
    context.events.publish(&signal);
    Ok(changed)
}
