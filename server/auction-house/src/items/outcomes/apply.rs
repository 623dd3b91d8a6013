//! What follows a further outcome of an item in its transaction: the charge, the event and the notification.

use super::Outcome;
use super::charges::charge_again;
use crate::auctions::access::AuctionView;
use crate::books::state::Commitment;
use crate::books::store::batch::Sale;
use crate::books::store::choice;
use crate::context::Context;
use crate::creations::{Created, Creation};
use crate::events::store::ItemChange;
use crate::events::{self, Signal};
use crate::ids::{ItemId, OutcomeId, UserId};
use crate::items::access::{ItemView, view_item};
use crate::notifications::{NewNotification, NotificationKind};
use platform::db::Transaction;
use platform::time::Moment;
use platform::verb::VerbError;

/// The auction's book is closed: what it has charged stays.
pub struct BookClosed;

/// An outcome that was written.
pub struct Written<'a> {
    pub auction: &'a AuctionView,
    pub item_id: ItemId,
    /// The outcome in force until now.
    pub had: &'a Outcome,
    pub id: OutcomeId,
    pub number: i64,
    /// To whom the item is sold, and for what.
    pub winner: Option<Commitment>,
    /// The bid that it is sold for.
    pub sequence: Option<i64>,
    pub by: UserId,
    /// The book charges the winner. In a draw the charges of the tickets stay.
    pub charges: bool,
    /// The request that decides.
    pub creation: &'a Creation,
}

/// Charges the auction's book for the outcome in place of the one before, tells everyone of it, and commits.
pub async fn apply<R: From<BookClosed>>(
    context: &Context,
    mut db: Transaction,
    written: Written<'_>,
    now: Moment,
) -> Result<Created<ItemView>, VerbError<R>> {
    let Written { auction, item_id, had, id, number, winner, sequence, by, charges, creation } = written;
    creation.record(&mut db, id, now).await?;
    let auction_id = auction.auction.id;
    let is_news = |id: &UserId| *id != by && had.sold().is_none_or(|sold| sold.winner.id != *id);
    let new_winner = winner.as_ref().map(|winner| winner.holder_id).filter(is_news);
    let mut shared = Vec::new();
    if let Some(book_id) = auction.auction.terms.book_id.filter(|_| charges) {
        let sale = Sale { item_id, outcome_id: id, copy: had.copy, number, by: Some(by) };
        shared = charge_again(&mut db, (book_id, auction_id), sale, winner, by, now).await?;
        if choice::is_closed(&mut db, book_id).await? {
            return Err(VerbError::Refused(BookClosed.into()));
        }
    }
    events::store::record_change(&mut db, auction_id, item_id, ItemChange::Edited, now).await?;
    let changed = view_item(&mut db, auction, item_id).await?;
    let won = new_winner
        .map(|id| NewNotification::of_bid(id, NotificationKind::Won, auction_id, item_id, sequence));
    let notices: Vec<_> = won.into_iter().chain(shared).collect();
    let signal = context.notifier.notify(&mut db, &notices, now).await?;
    db.commit().await?;
    context.events.publish(&Signal::Items([(auction_id, item_id)].into()));
    context.events.publish(&signal);
    Ok(Created::new(changed))
}
