//! Cancelling an item whose tickets were drawn: all that its book has charged is taken back.

use std::collections::BTreeSet;

use super::cancel_item::{CancelItemRefusal, Cancellation};
use crate::access::Action;
use crate::books::posting::Posting;
use crate::books::runs::automatic;
use crate::books::store::charges;
use crate::books::store::choice;
use crate::context::Context;
use crate::events::store::ItemChange;
use crate::events::{self, Signal};
use crate::ids::{BookId, UserId};
use crate::items::access::{ItemView, view_in_auction, view_item};
use crate::items::outcomes::OutcomeResult;
use crate::items::store::outcomes as store;
use crate::locks::LockingWrites;
use crate::notifications::NewNotification;
use crate::path::ItemPath;
use crate::usage;
use platform::db::{DbError, Transaction};
use platform::http::problem::Problem;
use platform::precondition::Precondition;
use platform::time::Moment;
use platform::verb::VerbError;

type CancelError = VerbError<CancelItemRefusal>;

/// Gives every copy of the item the outcome CANCELLED, and each holder of tickets what they cost. Only
/// managers may.
pub async fn cancel_drawn(
    context: &Context,
    path: ItemPath,
    user: UserId,
    cancellation: Result<Cancellation, Problem>,
    if_match: &Precondition,
) -> Result<ItemView, CancelError> {
    let now = context.clock.now();
    let ItemPath { auction_id, item_id } = path;
    let mut db = context.db.write_in(&[auction_id]).await?;
    let (auction, seen) = view_in_auction(&mut db, auction_id, item_id, user, now).await?;
    let auction = auction.require(Action::CloseItems)?;
    let Cancellation { reason } = cancellation?;
    if_match.check(seen.item.version)?;
    if seen.item.outcomes().any(|had| had.result == OutcomeResult::Cancelled) {
        return Err(CancelItemRefusal::Closed.into());
    }
    for had in seen.item.outcomes() {
        let next = store::NextOutcome::after(had, item_id, &reason, user, now);
        store::cancel(&mut db, next).await?;
    }
    let mut shared = Vec::new();
    if let Some(book_id) = auction.auction.terms.book_id {
        shared = give_back(&mut db, book_id, path, user, now).await?;
        if choice::is_closed(&mut db, book_id).await? {
            return Err(CancelItemRefusal::BookClosed.into());
        }
    }
    events::store::record_change(&mut db, auction_id, item_id, ItemChange::Edited, now).await?;
    let concerned = usage::followers(&mut db, auction_id, item_id).await?;
    let sentence = format!("This item was taken out of the sale: {reason}");
    let concerned: BTreeSet<UserId> = concerned.into_iter().chain([seen.item.seller.id]).collect();
    let others = concerned.into_iter().filter(|id| *id != user);
    let notices: Vec<_> = others
        .map(|id| NewNotification::of_change(id, auction_id, item_id, sentence.clone()))
        .chain(shared)
        .collect();
    let signal = context.notifier.notify(&mut db, &notices, now).await?;
    let changed = view_item(&mut db, &auction, item_id).await?;
    db.commit().await?;
    context.events.publish(&Signal::Items([(auction_id, item_id)].into()));
    context.events.publish(&signal);
    Ok(changed)
}

/// Reverses every charge for the item, and what its book has shared of them. Returns the notifications of
/// that.
async fn give_back(
    db: &mut Transaction,
    book_id: BookId,
    path: ItemPath,
    by: UserId,
    now: Moment,
) -> Result<Vec<NewNotification>, DbError> {
    let charged = charges::charges_of(db, book_id, path.item_id).await?;
    let mut posting = Posting::begin(db, book_id, charged.iter().map(|charge| charge.holder_id)).await?;
    for charge in &charged {
        posting.book.reverse_charge(charge, by);
    }
    automatic::take_back(db, book_id, &mut posting.book, path.auction_id, (path.item_id, 1), now).await?;
    let notices = posting.book.share_notices();
    posting.write(db, now).await?;
    Ok(notices)
}
