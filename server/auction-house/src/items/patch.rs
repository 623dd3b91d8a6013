//! Changes an item. While it has a standing bid, and from its first ticket on, its start and its price are
//! fixed; from its first bid on, it stays published.

use super::access::{ItemView, manage_item, view_item};
use super::assign::{AssignRefusal, assign, named_seller};
use super::body::{ItemContext, ItemInput, patched, read_item};
use super::{Item, ItemStatus, ItemTerms, notify, store};
use crate::auctions::Auction;
use crate::codes;
use crate::context::Context;
use crate::currencies;
use crate::events::store::ItemChange;
use crate::events::{self, Signal};
use crate::ids::{AuctionId, ItemId, UserId};
use crate::locks::LockingWrites;
use accounts::Person;
use platform::body::Body;
use platform::precondition::Precondition;
use platform::refusals;
use platform::time::Moment;
use platform::verb::VerbError;
use rules_engine::LotNumber;

refusals! {
    /// Why an item is not changed.
    pub enum PatchItemRefusal {
        /// The item is closed, or the auction in which a draft would be published.
        Closed => codes::CLOSED, "The item is closed: it stays as it is.";
        Frozen => codes::FROZEN, "The item has a standing bid, or has had a bid or a ticket: its start, its price and the terms of its sale stay.";
        FrozenSealed => codes::FROZEN, "The item is open for sealed bids: it stays published, and its start, its price and the terms of its sale stay.";
        HasBids => codes::HAS_BIDS, "The item has bids: it stays published.";
    }
    wraps { Assign(AssignRefusal) }
}

/// Applies a merge patch. A patch without effect keeps the version.
pub async fn patch_item(
    context: &Context,
    auction_id: AuctionId,
    item_id: ItemId,
    user: UserId,
    patch: impl Body,
    if_match: &Precondition,
) -> Result<ItemView, VerbError<PatchItemRefusal>> {
    let now = context.clock.now();
    let mut db = context.db.write_in(&[auction_id]).await?;
    let (auction, seen) = manage_item(&mut db, auction_id, item_id, user, now).await?;
    let patch = patch.read()?;
    let currencies = currencies::store::of_auction(&mut db, auction_id).await?;
    let had = &seen.item;
    let body = patched(&seen, patch);
    let seller = named_seller(&mut db, auction_id, &body).await?;
    let at = ItemContext { auction: &auction.auction, currencies: &currencies, seller, now };
    let ItemInput { terms, assignment } = read_item(body, at, Some(had))?;
    if_match.check(had.version)?;
    let assigned = assign(&mut db, &auction, had.creator.id, assignment, Some(had)).await;
    let assigned = assigned.map_err(|error| error.map_refusal(PatchItemRefusal::Assign))?;
    let seller = Person { id: assigned.seller_id, ..had.seller.clone() };
    let Some(changed) = changed_item(&auction.auction, had, terms, (assigned.lot_number, seller), now)?
    else {
        return Ok(seen);
    };
    store::update(&mut db, had, &changed).await?;
    let hidden = had.terms.is_published && !changed.terms.is_published;
    let change = if hidden { ItemChange::Hidden } else { ItemChange::Edited };
    events::store::record_change(&mut db, auction_id, item_id, change, now).await?;
    let signal = if had.terms.is_published {
        let is_news = changed.terms.is_published && changed.terms != had.terms;
        let news = if is_news { &[item_id][..] } else { &[] };
        notify::of_changed(context, &mut db, (auction_id, news), user).await?
    } else {
        notify::of_published(context, &mut db, (auction_id, item_id), user, changed.terms.is_published)
            .await?
    };
    let changed = view_item(&mut db, &auction, item_id).await?;
    db.commit().await?;
    context.events.publish(&Signal::Items([(auction_id, item_id)].into()));
    context.events.publish(&signal);
    Ok(changed)
}

/// The item with other terms, number and seller. None if they are the same.
pub fn changed_item(
    auction: &Auction,
    had: &Item,
    terms: ItemTerms,
    (lot_number, seller): (LotNumber, Person),
    now: Moment,
) -> Result<Option<Item>, PatchItemRefusal> {
    let changed = Item { terms, lot_number, seller, updated_at: now, ..had.clone() };
    // A draft that came out past the auction's end would open the auction again.
    let is_closed =
        had.status(now) == ItemStatus::Closed || (auction.has_ended(now) && !had.terms.is_published);
    check_state(had, &changed, is_closed, had.status(now) == ItemStatus::Open)?;
    let is_same = changed.terms == had.terms
        && (&changed.lot_number, changed.seller.id) == (&had.lot_number, had.seller.id);
    Ok((!is_same).then_some(changed))
}

fn check_state(had: &Item, changed: &Item, is_closed: bool, is_open: bool) -> Result<(), PatchItemRefusal> {
    // What sealed bids are placed under stays, whether or not there are any: nobody learns it from an answer.
    let is_sealed = had.terms.format.is_sealed() && is_open;
    let (ever_had_bids, has_fixed_terms) = (had.last_sequence > 0, had.has_fixed_terms());
    let terms = |item: &Item| (item.terms.starts_at, item.terms.price.clone(), item.terms.format.clone());
    let moves_terms = terms(changed) != terms(had);
    // The ledger has one numbering, also of bids that were withdrawn.
    let has_other_kind = had.terms.format.kind() != changed.terms.format.kind();
    if is_closed {
        Err(PatchItemRefusal::Closed)
    } else if is_sealed && (moves_terms || !changed.terms.is_published) {
        Err(PatchItemRefusal::FrozenSealed)
    } else if (has_fixed_terms && moves_terms) || (ever_had_bids && has_other_kind) {
        Err(PatchItemRefusal::Frozen)
    } else if (ever_had_bids || has_fixed_terms) && !changed.terms.is_published {
        Err(PatchItemRefusal::HasBids)
    } else {
        Ok(())
    }
}
