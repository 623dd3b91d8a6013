//! Creates many items at once: all or none.

use super::assign::{AssignRefusal, named_seller};
use super::body::{InvalidItem, ItemContext, ItemInput, read_item};
use super::create::{CreateItemRefusal, InsertedItem, insert_item};
use crate::access::Action;
use crate::auctions::access::{AuctionView, authorize};
use crate::context::Context;
use crate::creations::{Created, Creation};
use crate::currencies::{self, Currency};
use crate::events::Signal;
use crate::ids::{AuctionId, UserId};
use crate::locks::LockingWrites;
use platform::body::Body;
use platform::db::{DbError, Transaction};
use platform::fields::{FieldError, Fields, Object};
use platform::time::Moment;
use platform::verb::VerbError;

/// Items of one request, at most.
pub const ITEMS_AT_ONCE: usize = 200;
/// The list of the items in the body.
const ITEMS: &str = "items";

/// Creates the items of the list `items` of the body, in its order. They cost as many writes as long work
/// does. Returns how many there are.
pub async fn create_items(
    context: &Context,
    auction_id: AuctionId,
    creator: UserId,
    body: impl Body,
) -> Result<Created<usize>, VerbError<CreateItemRefusal>> {
    let now = context.clock.now();
    let mut db = context.db.read().await?;
    authorize(&mut db, auction_id, creator, now).await?.require(Action::AddItems)?;
    drop(db);
    let _permit = context.work.begin_bulk_write(creator).await?;
    let mut db = context.db.write_in(&[auction_id]).await?;
    let seen = authorize(&mut db, auction_id, creator, now).await?.require(Action::AddItems)?;
    let collection = format!("item-lists/{auction_id}");
    let (object, creation) = Creation::read(&mut db, creator, collection, body, now).await?;
    let items = items_of(object)?;
    let count = items.len();
    if creation.replays::<AuctionId>().is_some() {
        return Ok(Created::replayed(count));
    }
    let currencies = currencies::store::of_auction(&mut db, auction_id).await?;
    let inputs = read_items(&mut db, &seen, &currencies, items, now).await?;
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

/// Reads the bodies of new items, and reports the errors of all of them: `items.3.name`.
pub async fn read_items(
    db: &mut Transaction,
    seen: &AuctionView,
    currencies: &[Currency],
    items: Vec<Object>,
    now: Moment,
) -> Result<Vec<ItemInput>, ReadItemsError> {
    let mut fields = Fields::default();
    let mut inputs = Vec::new();
    for (at, object) in items.into_iter().enumerate() {
        let seller = named_seller(db, seen.auction.id, &object).await?;
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

/// Why bodies of new items can't be read.
#[derive(Debug)]
pub enum ReadItemsError {
    Invalid(Vec<FieldError>),
    Db(DbError),
}

impl From<Vec<FieldError>> for ReadItemsError {
    fn from(errors: Vec<FieldError>) -> Self {
        Self::Invalid(errors)
    }
}

impl From<DbError> for ReadItemsError {
    fn from(error: DbError) -> Self {
        Self::Db(error)
    }
}

impl<R> From<ReadItemsError> for VerbError<R> {
    fn from(error: ReadItemsError) -> Self {
        match error {
            ReadItemsError::Invalid(errors) => errors.into(),
            ReadItemsError::Db(error) => error.into(),
        }
    }
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
    let mut made = Vec::new();
    let mut signals = Vec::new();
    for (at, input) in inputs.into_iter().enumerate() {
        let InsertedItem { item_id, signal } =
            insert_item(context, db, seen, input, now).await.map_err(|error| in_row(error, at))?;
        made.push((seen.auction.id, item_id));
        signals.push(signal);
    }
    signals.push(Signal::Items(made));
    Ok(signals)
}

/// A refused lot number is that of one item.
fn in_row(error: VerbError<CreateItemRefusal>, at: usize) -> VerbError<CreateItemRefusal> {
    match error {
        VerbError::Refused(CreateItemRefusal::Assign(AssignRefusal::NumberTaken)) => {
            let path = format!("{}.lotNumber", path(at));
            vec![FieldError::new(path, "is the number of another item")].into()
        }
        error => error,
    }
}

fn path(at: usize) -> String {
    format!("{ITEMS}.{at}")
}
