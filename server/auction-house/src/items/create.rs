//! Creates an item.

use super::access::{ItemView, view_item};
use super::assign::{AssignRefusal, Assigned, assign, named_seller};
use super::body::{ItemContext, ItemInput, read_item};
use super::{ITEMS_MAX, Item, ItemTerms, notify, store};
use crate::access::Action;
use crate::auctions;
use crate::auctions::access::{AuctionView, authorize};
use crate::codes;
use crate::context::Context;
use crate::creations::{Created, Creation};
use crate::currencies;
use crate::events::store::ItemChange;
use crate::events::{self, Signal};
use crate::ids::{AuctionId, ItemId, UserId};
use crate::locks::LockingWrites;
use accounts::Person;
use platform::body::Body;
use platform::db::Transaction;
use platform::refusals;
use platform::time::Moment;
use platform::verb::VerbError;

refusals! {
    /// Why an item is not created.
    pub enum CreateItemRefusal {
        Closed => codes::CLOSED, "The auction is closed: it takes no more items.";
        LimitReached => codes::LIMIT_REACHED, "The auction has 10,000 items: it takes no more.";
    }
    wraps { Assign(AssignRefusal) }
}

pub async fn create_item(
    context: &Context,
    auction_id: AuctionId,
    creator: UserId,
    body: impl Body,
) -> Result<Created<ItemView>, VerbError<CreateItemRefusal>> {
    let now = context.clock.now();
    let mut db = context.db.write_in(&[auction_id]).await?;
    let seen = authorize(&mut db, auction_id, creator, now).await?.require(Action::AddItems)?;
    let items = format!("items/{auction_id}");
    let (object, creation) = Creation::read(&mut db, creator, items, body, now).await?;
    if let Some(earlier) = creation.replays() {
        return Ok(Created::replayed(view_item(&mut db, &seen, earlier).await?));
    }
    let currencies = currencies::store::of_auction(&mut db, auction_id).await?;
    let seller = named_seller(&mut db, auction_id, &object).await?;
    let at = ItemContext { auction: &seen.auction, currencies: &currencies, seller, now };
    let input = read_item(object, at, None)?;
    creation.check_key()?;
    let made = insert_item(context, &mut db, &seen, input, now).await?;
    creation.record(&mut db, made.item_id, now).await?;
    let view = view_item(&mut db, &seen, made.item_id).await?;
    db.commit().await?;
    context.events.publish(&Signal::Items([(auction_id, made.item_id)].into()));
    context.events.publish(&made.signal);
    Ok(Created::new(view))
}

/// A new item of the auction's viewer.
pub fn new_item(seen: &AuctionView, terms: ItemTerms, assigned: Assigned, now: Moment) -> Item {
    Item {
        id: ItemId::new(now),
        auction_id: seen.auction.id,
        lot_number: assigned.lot_number,
        // The row keeps the ids alone: the names are read back with it.
        seller: Person { id: assigned.seller_id, name: String::new() },
        creator: Person { id: seen.viewer, name: String::new() },
        ends_at: seen.auction.terms.item_end(terms.own_end),
        terms,
        images: Vec::new(),
        closed_at: None,
        last_sequence: 0,
        withdrawals: 0,
        highest_bid: None,
        outcome: None,
        further_outcomes: Vec::new(),
        tickets: None,
        seed: None,
        version: 1,
        created_at: now,
        updated_at: now,
    }
}

/// A new item that the transaction has written. The signal is to be published after the commit.
#[derive(Debug)]
struct InsertedItem {
    item_id: ItemId,
    signal: Signal,
}

/// Writes a new item, with its event and its notifications. The transaction has locked the auction or created
/// it.
async fn insert_item(
    context: &Context,
    db: &mut Transaction,
    seen: &AuctionView,
    input: ItemInput,
    now: Moment,
) -> Result<InsertedItem, VerbError<CreateItemRefusal>> {
    let ItemInput { terms, assignment } = input;
    let (auction_id, creator) = (seen.auction.id, seen.viewer);
    let assigned = assign(db, seen, creator, assignment, None).await;
    let assigned = assigned.map_err(|error| error.map_refusal(CreateItemRefusal::Assign))?;
    if seen.auction.has_ended(now) {
        return Err(CreateItemRefusal::Closed.into());
    }
    let item = new_item(seen, terms, assigned, now);
    if !auctions::store::add_items(db, auction_id, 1, ITEMS_MAX).await? {
        return Err(CreateItemRefusal::LimitReached.into());
    }
    store::insert(db, &item).await?;
    events::store::record_change(db, auction_id, item.id, ItemChange::Edited, now).await?;
    let is_published = item.terms.is_published;
    let signal = notify::of_published(context, db, (auction_id, item.id), creator, is_published).await?;
    Ok(InsertedItem { item_id: item.id, signal })
}
