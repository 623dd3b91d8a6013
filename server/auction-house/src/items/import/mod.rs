//! Imports items from a table: all rows or none. The table is read and its rows are planned on a thread of
//! low priority, before the transaction; its rows cost as many writes as long work does.

mod before;
pub mod document;
mod kept;
pub mod plan;
mod preview;
pub mod routes;
mod surroundings;
pub mod table;
pub mod undo;

use std::collections::HashMap;

use self::kept::{Recorded, place, recorded, written};
use self::plan::{ImportPlan, Write, plan, plan_again};
use self::surroundings::{Basis, Surroundings};
use self::table::ItemTable;
use super::create::CreateItemRefusal;
use super::create_many::write_items;
use super::{Item, notify, store};
use crate::access::Action;
use crate::auctions::access::{AuctionView, authorize};
use crate::books::holders::reach::Asker;
use crate::codes;
use crate::context::Context;
use crate::creations::{Created, Creation};
use crate::events::store::{ItemChange, ItemEvent};
use crate::events::{self, Signal};
use crate::ids::{AuctionId, ImportId, ItemId, UserId};
use crate::imports::{self, Counts, ImportedBefore, NewImport, Repeat};
use crate::locks::LockingWrites;
use platform::body::Body;
use platform::db::{Connection, DbError, Transaction, WriteBatch};
use platform::http::problem::Problem;
use platform::idempotency::KeyedRequest;
use platform::refusals;
use platform::shape::{self, Members, Shape};
use platform::table::{ContentHash, Reading, TEXT_BYTES_MAX, listed};
use platform::time::Moment;
use platform::typed_time::LocalTimes;
use platform::verb::VerbError;

pub use self::kept::{Imported, place_of};
pub use self::preview::{Preview, preview_items, preview_refused_items};

/// The table as a body.
#[derive(Debug, Clone, Default)]
pub struct ImportBody {
    csv: String,
}

impl Shape for ImportBody {
    const NAME: &'static str = "ItemImport";

    fn members(&mut self, members: &mut Members<'_>) {
        members.text("csv", 1..=TEXT_BYTES_MAX, &mut self.csv);
    }
}

refusals! {
    /// Why nothing is imported.
    pub enum ImportItemsRefusal {
        Closed => codes::CLOSED, "The auction is closed: it takes no more items.";
    }
    wraps { Create(CreateItemRefusal) }
}

/// The auction and the user of an import, with the reading of its local times and the choice of its columns.
#[derive(Clone)]
pub struct ImportTarget {
    pub auction_id: AuctionId,
    pub user: UserId,
    pub times: LocalTimes,
    pub reading: Reading,
    pub asker: Asker,
    pub repeat: Repeat,
}

/// How often a table is planned, at most: again if its auction was changed meanwhile.
const PLANS_MAX: usize = 3;
/// Rows that are planned again in the transaction, at most.
const MOVED_MAX: usize = 200;

/// A plan with what it depends on, and the revision of the auction and the position of its events at that
/// time.
struct Planned {
    revision: i64,
    position: i64,
    surroundings: Surroundings,
    plan: ImportPlan,
    hash: Option<ContentHash>,
    imported_before: Option<ImportedBefore>,
}

/// Writes the items of a table. A row whose lot exists changes that item.
pub async fn import_items(
    context: &Context,
    target: ImportTarget,
    body: impl Body + 'static,
) -> Result<Created<Imported>, VerbError<ImportItemsRefusal>> {
    let now = context.clock.now();
    may_add(&mut context.db.read().await?, &target, now).await?;
    let ImportTarget { auction_id, user, times, reading, .. } = target.clone();
    let _permit = context.work.begin_bulk_write(user).await?;
    let read = context.work.compute(move || {
        let keyed = body.keyed();
        let ImportBody { csv } = shape::parse(body.read()?)?;
        let table = ItemTable::read(&csv, times, &reading).map_err(|error| vec![error.into()])?;
        Ok::<_, VerbError<ImportItemsRefusal>>((keyed?, table, csv.len()))
    });
    let (keyed, table, bytes) = read.await??;
    context.work.charge(user, table.row_count(), bytes)?;
    let mut table = table;
    for _ in 0..PLANS_MAX {
        let planned;
        (planned, table) = self::planned(context, &target, table, now).await?;
        match write(context, &target, (planned, &table), &keyed, now).await? {
            Some(imported) => return Ok(imported),
            None => {
                tracing::debug!(%auction_id, "the auction was changed meanwhile: the table is planned anew")
            }
        }
    }
    Err(Problem::new(codes::OVERLOADED, "The auction is being changed: nothing was imported. Try again.")
        .retry_after(1)
        .into())
}

/// Writes what was planned, all of it. Nothing if the auction was changed since in what the plan depends on.
async fn write(
    context: &Context,
    target: &ImportTarget,
    (planned, table): (Planned, &ItemTable),
    keyed: &Option<KeyedRequest>,
    now: Moment,
) -> Result<Option<Created<Imported>>, VerbError<ImportItemsRefusal>> {
    let ImportTarget { auction_id, user, .. } = *target;
    let writes = planned.plan.rows.iter().filter(|row| !matches!(row.write, Write::Nothing)).count();
    let _turn = context.work.begin_large_write(user, writes).await?;
    let mut db = match writes == 0 {
        true => context.db.write_beside(auction_id).await?,
        false => context.db.write_in(&[auction_id]).await?,
    };
    let seen = may_add(&mut db, target, now).await?;
    let collection = format!("item-tables/{auction_id}");
    let creation = Creation::find(&mut db, user, collection, keyed.clone(), now).await?;
    creation.require_key()?;
    if let Some(earlier) = creation.replays() {
        return Ok(Some(Created::replayed(recorded(&mut db, auction_id, earlier).await?)));
    }
    creation.check_key()?;
    let hash = planned.hash.clone();
    place(&seen).require_new(&mut db, hash.as_ref(), target.repeat).await?;
    let still = still_planned(&mut db, &seen, (target, table), planned, now).await?;
    let Some(plan) = still else { return Ok(None) };
    let ImportPlan { rows, errors } = plan;
    if !errors.is_empty() {
        return Err(listed(errors).into());
    }
    if seen.auction.has_ended(now) {
        return Err(ImportItemsRefusal::Closed.into());
    }
    let (mut counts, mut new, mut changed) = (Counts::default(), Vec::new(), Vec::new());
    for row in rows {
        match row.write {
            Write::Create(item) => new.push(*item),
            Write::Change(items) => changed.push(*items),
            Write::Nothing => counts.unchanged += 1,
        }
    }
    counts.created = u32::try_from(new.len()).unwrap_or(u32::MAX);
    counts.changed = u32::try_from(changed.len()).unwrap_or(u32::MAX);
    let mut signals = Vec::new();
    if !new.is_empty() {
        let written = write_items(context, &mut db, &seen, &new, now).await;
        signals = written.map_err(|error| error.map_refusal(ImportItemsRefusal::Create))?;
    }
    signals.extend(change_items(context, &mut db, &seen, &changed, now).await?);
    let id = match hash.filter(|_| writes > 0) {
        Some(hash) => {
            let import = NewImport { id: ImportId::new(now), hash: &hash, by: user, counts, entries: None };
            let id = import.id;
            imports::store::keep(&mut db, auction_id, import, &written(&new, &changed)?, now).await?;
            Some(id)
        }
        None => None,
    };
    let recorded = id.map_or(Recorded::Nothing(counts.unchanged), Recorded::Kept);
    creation.record(&mut db, recorded, now).await?;
    db.commit().await?;
    signals.iter().for_each(|signal| context.events.publish(signal));
    Ok(Some(Created::new(Imported { id, counts })))
}

async fn may_add(conn: &mut Connection, target: &ImportTarget, now: Moment) -> Result<AuctionView, Problem> {
    Ok(authorize(conn, target.auction_id, target.user, now).await?.require(Action::AddItems)?)
}

/// The plan of a table, made on a thread of low priority, and the table.
async fn planned(
    context: &Context,
    target: &ImportTarget,
    table: ItemTable,
    now: Moment,
) -> Result<(Planned, ItemTable), Problem> {
    let (shared, target) = (context.clone(), target.clone());
    let planned = context.work.run(async move {
        let mut db = shared.db.snapshot().await?;
        let seen = may_add(&mut db, &target, now).await?;
        let rows = table.rows().0;
        let surroundings = Surroundings::read(&mut db, &seen, &target.asker, &rows).await?;
        let strangers = surroundings.strangers(&rows);
        target.asker.limits.disclosures(target.asker.address, strangers)?;
        let plan = plan(&mut db, &seen, &table, &surroundings, now).await?;
        let (revision, position) =
            (seen.auction.revision, events::store::last_position(&mut db, target.auction_id).await?);
        let hash = table.content_hash();
        let imported_before = place(&seen).imported_before(&mut db, hash.as_ref()).await?;
        Ok((Planned { revision, position, surroundings, plan, hash, imported_before }, table))
    });
    planned.await?
}

/// The plan as it is in the transaction that writes it. Only the versions of items are read, and planned
/// again are only those that bids have moved meanwhile. None if more has changed: then the table is planned
/// anew, without the transaction.
async fn still_planned(
    db: &mut Transaction,
    seen: &AuctionView,
    (target, table): (&ImportTarget, &ItemTable),
    planned: Planned,
    now: Moment,
) -> Result<Option<ImportPlan>, DbError> {
    let Planned { revision, position, mut surroundings, mut plan, .. } = planned;
    // This transaction has raised the revision, if it writes.
    let is_unchanged = (revision..=revision + 1).contains(&seen.auction.revision);
    if is_unchanged && events::store::last_position(db, seen.auction.id).await? == position {
        return Ok(Some(plan));
    }
    let changed = plan.rows.iter().filter_map(|row| match &row.write {
        Write::Change(items) => Some(&items.0),
        Write::Create(_) | Write::Nothing => None,
    });
    let mut known: HashMap<ItemId, i64> = changed.map(|item| (item.id, item.version)).collect();
    if !is_unchanged {
        if Basis::read(db, seen, &target.asker, &table.rows().0).await? != *surroundings.basis() {
            return Ok(None);
        }
        known = surroundings.items().map(|item| (item.id, item.version)).collect();
    }
    let ids: Vec<ItemId> = known.keys().copied().collect();
    let versions = store::versions(db, &ids).await?;
    let moved: Vec<ItemId> =
        versions.iter().filter(|(id, version)| known.get(id) != Some(version)).map(|(id, _)| *id).collect();
    if versions.len() < ids.len() || moved.len() > MOVED_MAX {
        return Ok(None);
    }
    if !moved.is_empty() {
        let moved = store::find_among(db, &moved).await?;
        plan_again(db, seen, table, &mut surroundings, &mut plan, moved, now).await?;
    }
    Ok(Some(plan))
}

/// Writes changed items with their events and notifications.
pub(super) async fn change_items(
    context: &Context,
    db: &mut Transaction,
    seen: &AuctionView,
    changed: &[(Item, Item)],
    now: Moment,
) -> Result<Vec<Signal>, DbError> {
    if changed.is_empty() {
        return Ok(Vec::new());
    }
    let auction_id = seen.auction.id;
    let (mut happened, mut news, mut published) = (Vec::new(), Vec::new(), Vec::new());
    store::update_all(db, changed).await?;
    for (had, item) in changed {
        let is_hidden = had.terms.is_published && !item.terms.is_published;
        let change = if is_hidden { ItemChange::Hidden } else { ItemChange::Edited };
        happened.push(ItemEvent::changed(auction_id, item.id, change));
        if had.terms.is_published {
            if item.terms.is_published && item.terms != had.terms {
                news.push(item.id);
            }
        } else {
            published.push(item.clone());
        }
    }
    let mut signals = vec![notify::of_changed(context, db, (auction_id, &news), seen.viewer).await?];
    signals.push(notify::of_all_published(context, db, seen, &published).await?);
    let mut writes = WriteBatch::default();
    events::store::record(&mut writes, &happened, now)?;
    db.run(writes).await?;
    signals.push(Signal::of_items(auction_id, changed.iter().map(|(_, item)| item.id)));
    Ok(signals)
}
