//! Undoes an import of items, while nothing has changed what it wrote: all of it, or nothing.

use std::collections::{HashMap, HashSet};

use super::{before, change_items, place};
use crate::access::{self, Action};
use crate::auctions::access::{AuctionView, authorize};
use crate::codes;
use crate::context::Context;
use crate::currencies;
use crate::events::store::{ItemChange, ItemEvent};
use crate::events::{self, Signal};
use crate::ids::{AuctionId, ImportId, ItemId, UserId};
use crate::imports::{self, Import, UndoneRefusal, WrittenRow};
use crate::items::{Item, ItemStatus, store};
use crate::locks::LockingWrites;
use platform::db::{Connection, DbError, Transaction, WriteBatch};
use platform::ids::Id;
use platform::refusals;
use platform::time::Moment;
use platform::verb::VerbError;

refusals! {
    /// Why an import of items is not undone.
    pub enum UndoItemsRefusal {
        Closed => codes::CLOSED, "The auction is closed: its items stay as they are.";
        Changed => codes::CHANGED, "An item of the import was changed, bid on or closed since: all of them stay.";
    }
    wraps { Undone(UndoneRefusal) }
}

/// Deletes the items that an import has created, and gives those back that it has changed.
pub async fn undo_import(
    context: &Context,
    auction_id: AuctionId,
    user: UserId,
    import_id: ImportId,
) -> Result<Import, VerbError<UndoItemsRefusal>> {
    let now = context.clock.now();
    let mut conn = context.db.read().await?;
    let seen = authorize(&mut conn, auction_id, user, now).await?.require(Action::AddItems)?;
    undoable(&mut conn, &seen, import_id).await?;
    let rows = imports::store::written_by(&mut conn, import_id).await?;
    drop(conn);
    let _permit = context.work.begin_bulk_write(user).await?;
    context.work.charge(user, rows.len(), 0)?;
    let _turn = context.work.begin_large_write(user, rows.len()).await?;
    let mut db = context.db.write_in(&[auction_id]).await?;
    let seen = authorize(&mut db, auction_id, user, now).await?.require(Action::AddItems)?;
    undoable(&mut db, &seen, import_id).await?;
    if seen.auction.has_ended(now) {
        return Err(UndoItemsRefusal::Closed.into());
    }
    let undone = undone(&mut db, &seen, rows, now).await?.ok_or(UndoItemsRefusal::Changed)?;
    let mut signals = change_items(context, &mut db, &seen, &undone.restored, now).await?;
    signals.extend(delete(&mut db, auction_id, &undone.deleted, now).await?);
    imports::store::set_undone(&mut db, import_id, user, now).await?;
    let import = imports::store::find(&mut db, place(&seen), import_id).await?.ok_or(VerbError::NotFound)?;
    db.commit().await?;
    signals.iter().for_each(|signal| context.events.publish(signal));
    Ok(import)
}

async fn undoable(
    conn: &mut Connection,
    seen: &AuctionView,
    import_id: ImportId,
) -> Result<Import, VerbError<UndoItemsRefusal>> {
    let import = place(seen).undoable(conn, import_id).await;
    import.map_err(|error| error.map_refusal(UndoItemsRefusal::Undone))
}

/// What an undo writes.
#[derive(Default)]
struct UndoneItems {
    deleted: Vec<Item>,
    /// Items as they are and as they were before the import.
    restored: Vec<(Item, Item)>,
}

/// Compares what the import wrote with the items as they are. None if one was changed.
async fn undone(
    conn: &mut Connection,
    seen: &AuctionView,
    rows: Vec<WrittenRow>,
    now: Moment,
) -> Result<Option<UndoneItems>, DbError> {
    let ids: Vec<ItemId> = rows.iter().map(|row| ItemId::of(row.subject)).collect();
    let found = store::find_among(conn, &ids).await?;
    let mut items: HashMap<ItemId, Item> = found.into_iter().map(|item| (item.id, item)).collect();
    let currencies = currencies::store::of_auction(conn, seen.auction.id).await?;
    let mut undone = UndoneItems::default();
    for WrittenRow { subject, mark, before } in rows {
        let Some(item) = items.remove(&ItemId::of(subject)).filter(|item| item.version.to_string() == mark)
        else {
            return Ok(None);
        };
        if item.status(now) == ItemStatus::Closed || item.outcome.is_some() {
            return Ok(None);
        }
        match before {
            Some(before) => match before::restored(&item, &before, &currencies, now)? {
                Some(had) if has_possible_end(seen, &item, &had, now) => undone.restored.push((item, had)),
                _ => return Ok(None),
            },
            // A picture or a bid raises the version.
            None => undone.deleted.push(item),
        }
    }
    let sellers: HashSet<UserId> = undone.restored.iter().map(|(_, had)| had.seller.id).collect();
    let wanted: Vec<_> = sellers.into_iter().map(|seller| (seen.auction.id, seller)).collect();
    let members = access::store::memberships(conn, &wanted).await?;
    Ok((members.len() == wanted.len()).then_some(undone))
}

/// Whether the end that the item had is one that it could be given now.
fn has_possible_end(seen: &AuctionView, item: &Item, had: &Item, now: Moment) -> bool {
    let (is, was) = (item.terms.own_end, had.terms.own_end);
    let is_late = |end: Moment| seen.auction.terms.end_date.is_some_and(|last| end > last);
    is == was || was.is_none_or(|end| end > now && !is_late(end))
}

/// Deletes items without bids, with their events.
async fn delete(
    db: &mut Transaction,
    auction_id: AuctionId,
    items: &[Item],
    now: Moment,
) -> Result<Vec<Signal>, DbError> {
    if items.is_empty() {
        return Ok(Vec::new());
    }
    store::delete_created(db, auction_id, items).await?;
    let event = |item: &Item| {
        let change = match item.terms.is_published {
            true => ItemChange::Deleted,
            false => ItemChange::DeletedDraft(item.creator.id),
        };
        ItemEvent::changed(auction_id, item.id, change)
    };
    let mut writes = WriteBatch::default();
    events::store::record(&mut writes, &items.iter().map(event).collect::<Vec<_>>(), now)?;
    db.run(writes).await?;
    Ok(vec![Signal::of_items(auction_id, items.iter().map(|item| item.id))])
}
