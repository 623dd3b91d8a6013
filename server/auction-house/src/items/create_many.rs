//! Creates many items at once: all or none.

use std::collections::HashSet;

use super::assign::{AssignRefusal, Assigned};
use super::body::{InvalidItem, ItemContext, ItemInput, read_item};
use super::create::{CreateItemRefusal, new_item};
use super::lot_numbers::LotNumbers;
use super::{ITEMS_MAX, Item, notify, store};
use crate::access::{self, Action};
use crate::auctions;
use crate::auctions::access::{AuctionView, authorize};
use crate::context::Context;
use crate::creations::{Created, Creation};
use crate::currencies::{self, Currency};
use crate::events::store::{ItemChange, ItemEvent};
use crate::events::{self, Signal};
use crate::ids::{AuctionId, UserId};
use crate::locks::LockingWrites;
use platform::body::Body;
use platform::db::{Connection, DbError, Transaction, WriteBatch};
use platform::fields::{FieldError, Fields, Object};
use platform::time::Moment;
use platform::verb::VerbError;

/// Items of one request, at most.
pub const ITEMS_AT_ONCE: usize = 200;
/// The list of the items in the body.
const ITEMS: &str = "items";

/// Creates the items of the list `items` of the body, in its order. They cost as many writes as long work
/// does. Returns how many there are.
///
/// The body is read on a thread of low priority, before the transaction.
pub async fn create_items(
    context: &Context,
    auction_id: AuctionId,
    creator: UserId,
    body: impl Body + 'static,
) -> Result<Created<usize>, VerbError<CreateItemRefusal>> {
    let now = context.clock.now();
    let mut db = context.db.read().await?;
    authorize(&mut db, auction_id, creator, now).await?.require(Action::AddItems)?;
    drop(db);
    let _permit = context.work.begin_bulk_write(creator).await?;
    let read = context.work.compute(move || {
        let keyed = body.keyed();
        let items = items_of(body.read()?)?;
        Ok::<_, VerbError<CreateItemRefusal>>((keyed?, items))
    });
    let (keyed, items) = read.await??;
    let count = items.len();
    let _turn = context.work.begin_large_write(creator, count).await?;
    let mut db = context.db.write_in(&[auction_id]).await?;
    let seen = authorize(&mut db, auction_id, creator, now).await?.require(Action::AddItems)?;
    let creation = Creation::find(&mut db, creator, format!("item-lists/{auction_id}"), keyed, now).await?;
    if creation.replays::<AuctionId>().is_some() {
        return Ok(Created::replayed(count));
    }
    let currencies = currencies::store::of_auction(&mut db, auction_id).await?;
    let sellers = named_sellers(&mut db, auction_id, &items).await?;
    let inputs = read_items(&seen, &currencies, &sellers, items, now)?;
    creation.check_key()?;
    context.work.charge(creator, count, 0)?;
    let signals = insert_items(context, &mut db, &seen, inputs, now).await?;
    creation.record(&mut db, auction_id, now).await?;
    db.commit().await?;
    signals.iter().for_each(|signal| context.events.publish(signal));
    Ok(Created::new(count))
}

fn items_of(object: Object) -> Result<Vec<Object>, Vec<FieldError>> {
    let mut fields = Fields::of(object);
    let items: Vec<Object> = fields.or(ITEMS, Vec::new());
    fields.check((1..=ITEMS_AT_ONCE).contains(&items.len()), ITEMS, "must be 1 to 200 items");
    fields.finish().map(|()| items)
}

/// The users that bodies name as sellers, as far as they are members of the auction.
async fn named_sellers(
    conn: &mut Connection,
    auction_id: AuctionId,
    items: &[Object],
) -> Result<HashSet<UserId>, DbError> {
    let named: HashSet<UserId> = items.iter().filter_map(|item| item.get("sellerId")).collect();
    let wanted: Vec<_> = named.into_iter().map(|user| (auction_id, user)).collect();
    let members = access::store::memberships(conn, &wanted).await?;
    Ok(members.into_keys().map(|(_, user)| user).collect())
}

/// Reads the bodies of new items, and reports the errors of all of them: `items.3.name`. `sellers` are the
/// members whom they may name.
pub fn read_items(
    seen: &AuctionView,
    currencies: &[Currency],
    sellers: &HashSet<UserId>,
    items: Vec<Object>,
    now: Moment,
) -> Result<Vec<ItemInput>, Vec<FieldError>> {
    let mut fields = Fields::default();
    let mut inputs = Vec::new();
    for (at, object) in items.into_iter().enumerate() {
        let seller = object.get("sellerId").filter(|seller| sellers.contains(seller));
        match read_item(object, ItemContext { auction: &seen.auction, currencies, seller, now }, None) {
            Ok(input) => inputs.push(input),
            Err(InvalidItem { errors, .. }) => {
                fields.add(errors.into_iter().map(|error| error.within(&path(at))));
            }
        }
    }
    fields.finish()?;
    Ok(inputs)
}

/// Writes new items in their order. The signals are to be published after the commit. The transaction has
/// locked the auction or created it.
pub async fn insert_items(
    context: &Context,
    db: &mut Transaction,
    seen: &AuctionView,
    inputs: Vec<ItemInput>,
    now: Moment,
) -> Result<Vec<Signal>, VerbError<CreateItemRefusal>> {
    let mut numbers = LotNumbers::of_auction(db, seen.auction.id).await?;
    let items = assign_all(seen, &mut numbers, inputs, now)?;
    if seen.auction.has_ended(now) {
        return Err(CreateItemRefusal::Closed.into());
    }
    write_items(context, db, seen, &items, now).await
}

/// Gives items their lot numbers and sellers. Numbers that items name are theirs, wherever they stand in the
/// list.
fn assign_all(
    seen: &AuctionView,
    numbers: &mut LotNumbers,
    inputs: Vec<ItemInput>,
    now: Moment,
) -> Result<Vec<Item>, VerbError<CreateItemRefusal>> {
    let chooses = |input: &ItemInput| {
        let asked = &input.assignment;
        asked.lot_number.is_some() || asked.seller_id.is_some_and(|seller| seller != seen.viewer)
    };
    if !seen.may(Action::AssignItems) && inputs.iter().any(chooses) {
        return Err(VerbError::Forbidden);
    }
    let mut fields = Fields::default();
    for (at, input) in inputs.iter().enumerate() {
        let is_free = input.assignment.lot_number.as_ref().is_none_or(|number| numbers.take(number));
        fields.check(is_free, &format!("{}.lotNumber", path(at)), "is the number of another item");
    }
    fields.finish()?;
    let item = |ItemInput { terms, assignment }: ItemInput| {
        let lot_number = assignment.lot_number.or_else(|| numbers.take_next());
        let lot_number = lot_number.ok_or(CreateItemRefusal::Assign(AssignRefusal::NumberTaken))?;
        let seller_id = assignment.seller_id.unwrap_or(seen.viewer);
        Ok(new_item(seen, terms, Assigned { lot_number, seller_id }, now))
    };
    inputs.into_iter().map(item).collect()
}

/// Writes new items with their events and notifications.
pub async fn write_items(
    context: &Context,
    db: &mut Transaction,
    seen: &AuctionView,
    items: &[Item],
    now: Moment,
) -> Result<Vec<Signal>, VerbError<CreateItemRefusal>> {
    let auction_id = seen.auction.id;
    let count = i64::try_from(items.len()).unwrap_or(i64::MAX);
    if !auctions::store::add_items(db, auction_id, count, ITEMS_MAX).await? {
        return Err(CreateItemRefusal::LimitReached.into());
    }
    store::insert_all(db, items).await?;
    let made: Vec<ItemEvent> =
        items.iter().map(|item| ItemEvent::changed(auction_id, item.id, ItemChange::Edited)).collect();
    let mut writes = WriteBatch::default();
    events::store::record(&mut writes, &made, now)?;
    db.run(writes).await?;
    let notified = notify::of_all_published(context, db, seen, items).await?;
    Ok(vec![notified, Signal::of_items(auction_id, items.iter().map(|item| item.id))])
}

fn path(at: usize) -> String {
    format!("{ITEMS}.{at}")
}
