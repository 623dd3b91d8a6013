//! Marks a sold item as paid or collected.

use super::Outcome;
use crate::access::Action;
use crate::codes;
use crate::context::Context;
use crate::events::store::ItemChange;
use crate::events::{self, Signal};
use crate::ids::{AuctionId, ItemId, UserId};
use crate::items::access::view_in_auction;
use crate::items::store::outcomes as store;
use crate::locks::LockingWrites;
use platform::body::Body;
use platform::precondition::Precondition;
use platform::refusals;
use platform::shape::{self, Members, Shape};
use platform::verb::VerbError;

/// What a request says of the outcome in force.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Marks {
    paid: Option<bool>,
    collected: Option<bool>,
}

impl Shape for Marks {
    const NAME: &'static str = "OutcomePatch";
    const ABOUT: &'static str = "An absent member stays as it is.";

    fn members(&mut self, members: &mut Members<'_>) {
        members.flag_change("paid", &mut self.paid).about("The winner has paid.");
        members.flag_change("collected", &mut self.collected).about("The winner has the item.");
    }
}

refusals! {
    /// Why an outcome is not marked.
    pub enum MarkRefusal {
        NotClosed => codes::NOT_CLOSED, "The item is not closed: it has no outcome yet.";
        NotSold => codes::NOT_SOLD, "The item was not sold: there is nothing to pay or to collect.";
    }
}

/// Marks the outcome in force. A mark that is set keeps its time.
pub async fn mark_outcome(
    context: &Context,
    auction_id: AuctionId,
    item_id: ItemId,
    user: UserId,
    body: impl Body,
    if_match: &Precondition,
) -> Result<Outcome, VerbError<MarkRefusal>> {
    let now = context.clock.now();
    let mut db = context.db.write_in(&[auction_id]).await?;
    let (auction, seen) = view_in_auction(&mut db, auction_id, item_id, user, now).await?;
    auction.require(Action::MarkOutcomes)?;
    let marks: Marks = shape::parse(body.read()?)?;
    if_match.check(seen.item.version)?;
    let outcome = seen.item.outcome.ok_or(MarkRefusal::NotClosed)?;
    if outcome.sold().is_none() {
        return Err(MarkRefusal::NotSold.into());
    }
    let marked = |had: Option<_>, mark: Option<bool>| match mark {
        Some(true) => had.or(Some(now)),
        Some(false) => None,
        None => had,
    };
    let changed = Outcome {
        paid_at: marked(outcome.paid_at, marks.paid),
        collected_at: marked(outcome.collected_at, marks.collected),
        ..outcome.clone()
    };
    if changed == outcome {
        return Ok(outcome);
    }
    store::mark(&mut db, item_id, &changed, now).await?;
    events::store::record_change(&mut db, auction_id, item_id, ItemChange::Edited, now).await?;
    db.commit().await?;
    context.events.publish(&Signal::Items([(auction_id, item_id)].into()));
    Ok(changed)
}
