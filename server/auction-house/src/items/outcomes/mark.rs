//! Marks sold items as paid or collected.

use super::{CopyNumber, Outcome};
use crate::access::Action;
use crate::auctions::access::authorize;
use crate::codes;
use crate::context::Context;
use crate::events::store::{ItemChange, ItemEvent};
use crate::events::{self, Signal};
use crate::ids::{AuctionId, ItemId, UserId};
use crate::items::access::{view_in_auction, view_items};
use crate::items::store::outcomes as store;
use crate::locks::LockingWrites;
use platform::body::Body;
use platform::db::{Transaction, WriteBatch};
use platform::precondition::{Outdated, Precondition};
use platform::refusals;
use platform::shape::{self, Members, Shape};
use platform::time::Moment;
use platform::verb::VerbError;

/// What is said of the outcome in force.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Marks {
    pub paid: Option<bool>,
    pub collected: Option<bool>,
}

/// The marks that a request sets on the outcome of a copy.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct MarkBody {
    copy: CopyNumber,
    marks: Marks,
}

impl Shape for MarkBody {
    const NAME: &'static str = "OutcomePatch";
    const ABOUT: &'static str = "An absent member stays as it is.";

    fn members(&mut self, members: &mut Members<'_>) {
        let Marks { paid, collected } = &mut self.marks;
        members.flag_change("paid", paid).about("The winner has paid.");
        members.flag_change("collected", collected).about("The winner has the item.");
        self.copy.member(members);
    }
}

refusals! {
    /// Why an outcome is not marked.
    pub enum MarkRefusal {
        NotClosed => codes::NOT_CLOSED, "The item is not closed: it has no outcome yet.";
        NotSold => codes::NOT_SOLD, "The item was not sold: there is nothing to pay or to collect.";
    }
}

/// An outcome as a viewer has seen it. Its marks are refused once it is not the one in force any more, or is
/// marked otherwise: a correction has another winner, and a cashier must not take the same money twice.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SeenOutcome {
    pub item_id: ItemId,
    pub copy: i64,
    /// Number of the outcome within the copy.
    pub number: i64,
    pub is_paid: bool,
    pub is_collected: bool,
}

impl SeenOutcome {
    /// # Errors
    /// The outcome in force is another one, or has other marks.
    fn check(self, outcome: &Outcome) -> Result<(), Outdated> {
        let is_same = self.number == outcome.number
            && self.is_paid == outcome.paid_at.is_some()
            && self.is_collected == outcome.collected_at.is_some();
        if is_same { Ok(()) } else { Err(Outdated) }
    }
}

impl Marks {
    /// The outcome with these marks. A mark that is set keeps its time.
    fn on(self, outcome: &Outcome, now: Moment) -> Outcome {
        let marked = |had: Option<Moment>, mark: Option<bool>| match mark {
            Some(true) => had.or(Some(now)),
            Some(false) => None,
            None => had,
        };
        Outcome {
            paid_at: marked(outcome.paid_at, self.paid),
            collected_at: marked(outcome.collected_at, self.collected),
            ..outcome.clone()
        }
    }
}

/// Marks the outcome in force.
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
    let MarkBody { copy, marks } = shape::parse(body.read()?)?;
    if_match.check(seen.item.version)?;
    let had = copy.of(&seen.item)?.ok_or(MarkRefusal::NotClosed)?;
    let outcome = sold(Some(had.clone()))?;
    let marked = marks.on(&outcome, now);
    if marked != outcome {
        write(context, db, auction_id, &[(item_id, marked.clone())], now).await?;
    }
    Ok(marked)
}

/// Marks the outcomes of several items, all of them or none: each has to be as the user has seen it.
pub async fn mark_outcomes(
    context: &Context,
    auction_id: AuctionId,
    user: UserId,
    seen: &[SeenOutcome],
    marks: Marks,
) -> Result<(), VerbError<MarkRefusal>> {
    let now = context.clock.now();
    let mut db = context.db.write_in(&[auction_id]).await?;
    let auction = authorize(&mut db, auction_id, user, now).await?.require(Action::MarkOutcomes)?;
    let ids: Vec<ItemId> = seen.iter().map(|seen| seen.item_id).collect();
    let items = view_items(&mut db, &auction, &ids).await?;
    let mut changed = Vec::new();
    for seen in seen {
        let item = items.iter().map(|found| &found.item).find(|item| item.id == seen.item_id);
        let item = item.filter(|item| item.auction_id == auction_id).ok_or(VerbError::NotFound)?;
        let outcome = item.outcome_of(seen.copy);
        if let Some(outcome) = outcome {
            seen.check(outcome)?;
        }
        let outcome = sold(outcome.cloned())?;
        let marked = marks.on(&outcome, now);
        if marked != outcome {
            changed.push((seen.item_id, marked));
        }
    }
    if !changed.is_empty() {
        write(context, db, auction_id, &changed, now).await?;
    }
    Ok(())
}

/// The outcome of an item, if it was sold.
fn sold(outcome: Option<Outcome>) -> Result<Outcome, MarkRefusal> {
    let outcome = outcome.ok_or(MarkRefusal::NotClosed)?;
    if outcome.sold().is_some() { Ok(outcome) } else { Err(MarkRefusal::NotSold) }
}

/// Writes the marks of outcomes with their events, and commits.
async fn write(
    context: &Context,
    mut db: Transaction,
    auction_id: AuctionId,
    marked: &[(ItemId, Outcome)],
    now: Moment,
) -> Result<(), VerbError<MarkRefusal>> {
    let mut writes = WriteBatch::default();
    store::mark(&mut writes, marked, now);
    let events: Vec<ItemEvent> = marked
        .iter()
        .map(|(item_id, _)| ItemEvent::changed(auction_id, *item_id, ItemChange::Edited))
        .collect();
    events::store::record(&mut writes, &events, now)?;
    db.run(writes).await?;
    db.commit().await?;
    let items = marked.iter().map(|(item_id, _)| (auction_id, *item_id));
    context.events.publish(&Signal::Items(items.collect()));
    Ok(())
}
