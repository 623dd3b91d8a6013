//! Closing items and auctions of a batch.

use std::sync::Arc;

use super::closings::ClosedItem;
use super::state::BatchState;
use crate::auctions::access::AuctionView;
use crate::bids::queue_error::QueueError;
use crate::books::state::{BookState, Commitment};
use crate::books::store::batch::Sale;
use crate::ids::{AuctionId, UserId};
use crate::items::bidding::LeadingBid;
use crate::items::outcomes::{Closing, ResultKind};
use crate::path::ItemPath;
use platform::time::Moment;

impl BatchState {
    /// An auction to be closed, as the user sees it who closes it.
    pub fn auction(&self, auction_id: AuctionId, user_id: UserId) -> Option<&AuctionView> {
        self.closings.auction(auction_id, user_id)
    }

    /// Whether the batch has closed the auction.
    pub fn has_closed(&self, auction_id: AuctionId) -> bool {
        self.closings.has_closed(auction_id)
    }

    /// Closes the next items of an auction that are still open, and with the last of them the auction.
    /// Returns whether it is closed.
    pub fn close_part(
        &mut self,
        auction_id: AuctionId,
        user_id: UserId,
        now: Moment,
    ) -> Result<bool, QueueError> {
        let (items, is_last) = self.closings.open_items(auction_id, user_id);
        for item_id in items {
            if self.is_full_of_shares(auction_id) {
                return Ok(false);
            }
            self.close_item(ItemPath { auction_id, item_id }, Closing::User(user_id), now)?;
        }
        if is_last {
            self.closings.close_auction(auction_id, now);
        }
        Ok(is_last)
    }

    /// Whether the batch shares so much in the book of an auction that further items are closed by the next
    /// one.
    pub fn is_full_of_shares(&self, auction_id: AuctionId) -> bool {
        let book = self.cache.books.of_auction(auction_id).flatten();
        book.and_then(|id| self.cache.books.get(id)).is_some_and(BookState::is_full_of_shares)
    }

    /// Closes an item with the first outcomes of its copies. In an auction with a book its winners are
    /// charged, unless it is passed or cancelled.
    pub fn close_item(&mut self, path: ItemPath, closing: Closing, now: Moment) -> Result<(), QueueError> {
        let Some(Some(state)) = self.cache.items.get(&path.item_id) else {
            // Nothing in the batch needs the item: the outcome follows from what is stored.
            self.closings.close_item(ClosedItem::open(path, closing, now));
            return Ok(());
        };
        if state.item().is_sealed() {
            return self.close_sealed(path, closing, now);
        }
        let closed = ClosedItem::open(path, closing, now);
        let item = state.item();
        if let Some(book_id) = item.book_id {
            let sale = Sale {
                item_id: path.item_id,
                outcome_id: closed.id_of(1),
                copy: 1,
                number: 1,
                by: closed.by(item),
            };
            let sale = closed.closing.unsold().is_none().then_some(sale);
            let leading = item.leading.map(Commitment::from);
            let book = self.cache.book_mut(book_id)?;
            book.close(leading, sale);
            if let Some((winner, sale)) = leading.zip(sale) {
                book.share(path.auction_id, sale, winner);
            }
        }
        self.priced_item(path)?.close(now);
        self.closings.close_item(closed);
        Ok(())
    }

    /// Closes an item whose bids are sealed: the engine decides who wins and what they pay, and the ledger
    /// gets the standing bids, unless the item is cancelled.
    fn close_sealed(&mut self, path: ItemPath, closing: Closing, now: Moment) -> Result<(), QueueError> {
        let standing = self.sealed.standing(path.item_id);
        let item = self.item(path)?.ok_or(QueueError::NotKept)?;
        let (book_id, ends_at, copies) = (item.book_id, item.ends_at, item.format.copies());
        let mut closed = ClosedItem::sealed(path, closing, copies, now);
        let by = closed.by(item);
        if let Some(book_id) = book_id {
            let book = self.cache.book_mut(book_id)?;
            standing.iter().for_each(|bid| book.lead(Some(Commitment::from(&**bid)), None));
        }
        if closed.closing.unsold() != Some(ResultKind::Cancelled) {
            for (sequence, bid) in (1..).zip(&standing) {
                let opened = bid.opened(sequence, self.next_position(path.auction_id)?, ends_at);
                let previous = self.priced_item(path)?.accept(&opened);
                self.cache.count_bid(path.auction_id);
                self.bids.accept(Arc::new(opened), previous, None);
            }
        }
        let opened = self.bids.of_item(path.item_id);
        self.priced_item(path)?.lead_best(opened.iter().map(|bid| LeadingBid::of(bid)));
        if closed.closing.unsold().is_none() {
            let wins = self.priced_item(path)?.settle(path.item_id, &standing)?;
            for win in wins {
                let Some(bid) = opened.get(win.bid) else { continue };
                let copy = i64::from(win.copy);
                if let Some(book_id) = book_id {
                    let (item_id, outcome_id) = (path.item_id, closed.id_of(copy));
                    let winner = Commitment { holder_id: bid.bidder.id, amount: win.price };
                    let sale = Sale { item_id, outcome_id, copy, number: 1, by };
                    let book = self.cache.book_mut(book_id)?;
                    book.charge(winner, sale);
                    book.share(path.auction_id, sale, winner);
                }
                closed.sell(copy, bid, (win.entered, win.price), by);
            }
        }
        self.priced_item(path)?.close(now);
        self.closings.close_item(closed);
        Ok(())
    }
}
