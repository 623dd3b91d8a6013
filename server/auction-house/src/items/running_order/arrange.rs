//! Changes the place of one item in the running order, holds it, or has it come back.

use super::place::moved;
use crate::access::Action;
use crate::auctions::access::{AuctionView, authorize};
use crate::codes;
use crate::context::Context;
use crate::events::store::ItemChange;
use crate::events::{self, Signal};
use crate::ids::{AuctionId, ItemId, UserId};
use crate::items::ItemStatus;
use crate::items::access::view_item;
use crate::items::store::running_order as store;
use crate::locks::LockingWrites;
use platform::body::Body;
use platform::db::{Connection, DbError, Transaction};
use platform::fields::FieldError;
use platform::http::problem::Problem;
use platform::refusals;
use platform::shape::{self, Members, Shape};
use platform::time::Moment;
use platform::verb::{AccessError, VerbError};

/// The place of one item.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ArrangeBody {
    item_id: Option<ItemId>,
    before: Option<ItemId>,
    is_held: Option<bool>,
}

impl Shape for ArrangeBody {
    const NAME: &'static str = "RunningOrderPlace";

    fn members(&mut self, members: &mut Members<'_>) {
        members.required_parsed("itemId", &mut self.item_id).about("Of the auction, and not closed.");
        members.parsed("before", &mut self.before).about("It is called directly before this one.");
        members
            .optional_flag("held", &mut self.is_held)
            .about("It is left out until it comes back. Given without `before`, the item keeps its place.");
    }
}

refusals! {
    /// Why the running order is not changed.
    pub enum ArrangeRefusal {
        Draft => codes::ITEM_NOT_OPEN, "The item is a draft: publish it first.";
        Closed => codes::ITEM_NOT_OPEN, "The item is closed already.";
    }
}

/// Changes of the running order that one request writes.
struct Plan {
    item_id: ItemId,
    /// Positions in the order of calls, of the item alone or of all.
    positions: Vec<(ItemId, i64)>,
    /// None if the item stays held, or not, as it is.
    is_held: Option<bool>,
    /// Places that were read to plan it.
    read: usize,
}

impl Plan {
    fn changes_nothing(&self) -> bool {
        self.positions.is_empty() && self.is_held.is_none()
    }
}

/// How often a move is planned before its transaction, while other requests change the auction.
const PLANNED_BEFORE_MAX: usize = 3;

/// Moves an item before another one or, with neither that nor `held`, to the end. The order of an auction
/// with thousands of lots is read before the transaction, for which bids wait, and again if the auction was
/// changed since. Where it never rests, the order is read within the transaction, in a turn.
pub async fn arrange_item(
    context: &Context,
    auction_id: AuctionId,
    user: UserId,
    body: impl Body + 'static,
) -> Result<(), Problem> {
    let now = context.clock.now();
    let read = move || Ok(shape::parse(body.read()?)?);
    let (body, mut planned) = plan_outside(context, (auction_id, user), read, now).await?;
    for _ in 1..PLANNED_BEFORE_MAX {
        if planned.plan.changes_nothing()
            || write(context, (auction_id, user), (&body, &planned), now).await?
        {
            return Ok(());
        }
        let again = body.clone();
        (_, planned) = plan_outside(context, (auction_id, user), move || Ok(again), now).await?;
    }
    Ok(write_in_turn(context, (auction_id, user), (&body, planned.plan.read), now).await?)
}

/// A plan, and the revision of the auction for which it was made.
struct Planned {
    plan: Plan,
    revision: i64,
}

/// Plans a move on a thread of low priority. The body is read once the user may move items.
async fn plan_outside(
    context: &Context,
    (auction_id, user): (AuctionId, UserId),
    read: impl FnOnce() -> Result<ArrangeBody, VerbError<ArrangeRefusal>> + Send + 'static,
    now: Moment,
) -> Result<(ArrangeBody, Planned), Problem> {
    let shared = context.clone();
    let planned = context.work.run(async move {
        let mut db = shared.db.snapshot().await?;
        let seen = may_arrange(&mut db, auction_id, user, now).await?;
        let body = read()?;
        let plan = plan(&mut db, &seen, &body, now).await?;
        Ok::<_, VerbError<ArrangeRefusal>>((body, Planned { plan, revision: seen.auction.revision }))
    });
    Ok(planned.await??)
}

/// Writes a plan, unless the auction was changed since. Returns whether it is written.
async fn write(
    context: &Context,
    (auction_id, user): (AuctionId, UserId),
    (body, Planned { plan, revision }): (&ArrangeBody, &Planned),
    now: Moment,
) -> Result<bool, VerbError<ArrangeRefusal>> {
    let _turn = context.work.begin_large_write(user, plan.positions.len()).await?;
    let mut db = context.db.write_in(&[auction_id]).await?;
    let seen = may_arrange(&mut db, auction_id, user, now).await?;
    // The transaction itself has raised the revision.
    if *revision + 1 != seen.auction.revision {
        return Ok(false);
    }
    // Closings raise no revision, and may have closed an item.
    check_all(&mut db, &seen, body, now).await?;
    commit(context, db, auction_id, plan, now).await?;
    Ok(true)
}

/// Plans and writes in one transaction, which reads about so many rows.
async fn write_in_turn(
    context: &Context,
    (auction_id, user): (AuctionId, UserId),
    (body, rows): (&ArrangeBody, usize),
    now: Moment,
) -> Result<(), VerbError<ArrangeRefusal>> {
    let _turn = context.work.begin_large_write(user, rows).await?;
    let mut db = context.db.write_in(&[auction_id]).await?;
    let seen = may_arrange(&mut db, auction_id, user, now).await?;
    let plan = plan(&mut db, &seen, body, now).await?;
    if !plan.changes_nothing() {
        commit(context, db, auction_id, &plan, now).await?;
    }
    Ok(())
}

async fn commit(
    context: &Context,
    mut db: Transaction,
    auction_id: AuctionId,
    Plan { item_id, positions, is_held, .. }: &Plan,
    now: Moment,
) -> Result<(), DbError> {
    let item_id = *item_id;
    store::write(&mut db, auction_id, positions).await?;
    if let Some(is_held) = *is_held {
        store::hold(&mut db, auction_id, item_id, is_held).await?;
    }
    events::store::record_change(&mut db, auction_id, item_id, ItemChange::Order, now).await?;
    db.commit().await?;
    context.events.publish(&Signal::Items([(auction_id, item_id)].into()));
    Ok(())
}

async fn may_arrange(
    db: &mut Connection,
    auction_id: AuctionId,
    user: UserId,
    now: Moment,
) -> Result<AuctionView, AccessError> {
    authorize(db, auction_id, user, now).await?.require(Action::RunHall)
}

async fn plan(
    db: &mut Connection,
    seen: &AuctionView,
    body: &ArrangeBody,
    now: Moment,
) -> Result<Plan, VerbError<ArrangeRefusal>> {
    let item_id = check_all(db, seen, body, now).await?;
    let mut plan = Plan { item_id, positions: Vec::new(), is_held: None, read: 0 };
    if body.before.is_some() || body.is_held.is_none() {
        let order = store::places(db, seen.auction.id).await?;
        plan.positions = moved(&order, item_id, body.before);
        plan.read = order.len();
    }
    if let Some(is_held) = body.is_held
        && store::is_held(db, item_id).await? != is_held
    {
        plan.is_held = Some(is_held);
    }
    Ok(plan)
}

/// Refuses items that are not to be called. Returns the one that is moved.
async fn check_all(
    db: &mut Connection,
    seen: &AuctionView,
    body: &ArrangeBody,
    now: Moment,
) -> Result<ItemId, VerbError<ArrangeRefusal>> {
    let Some(item_id) = body.item_id else { return Err(vec![FieldError::missing("itemId")].into()) };
    check(db, seen, "itemId", item_id, now).await?;
    if let Some(before) = body.before {
        if before == item_id {
            return Err(vec![FieldError::new("before", "must be another item")].into());
        }
        check(db, seen, "before", before, now).await?;
    }
    Ok(item_id)
}

/// Refuses an item that is not to be called.
async fn check(
    db: &mut Connection,
    seen: &AuctionView,
    field: &str,
    item_id: ItemId,
    now: Moment,
) -> Result<(), VerbError<ArrangeRefusal>> {
    let item = match view_item(db, seen, item_id).await {
        Err(AccessError::NotFound) => {
            return Err(vec![FieldError::new(field, "must be the id of an item of the auction")].into());
        }
        item => item?.item,
    };
    match item.status(now) {
        ItemStatus::Draft => Err(ArrangeRefusal::Draft.into()),
        ItemStatus::Closed => Err(ArrangeRefusal::Closed.into()),
        ItemStatus::Scheduled | ItemStatus::Open => Ok(()),
    }
}
