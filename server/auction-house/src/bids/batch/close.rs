//! Closing items and auctions of a batch.

use std::collections::HashMap;
use std::sync::Arc;

use rules_engine::money::Normalized;

use super::closings::ClosedItem;
use super::state::BatchState;
use crate::auctions::access::AuctionView;
use crate::bids::Bid;
use crate::bids::queue_error::QueueError;
use crate::bids::sealed::SealedBid;
use crate::books::state::{BookState, Commitment};
use crate::books::store::batch::Sale;
use crate::ids::{AuctionId, BookId, UserId};
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
        if state.item().has_bids_apart() {
            return self.close_apart(path, closing, now);
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

    /// Closes an item whose bids stand apart: the engine decides who wins, and the ledger gets the standing
    /// bids, unless the item is cancelled.
    fn close_apart(&mut self, path: ItemPath, closing: Closing, now: Moment) -> Result<(), QueueError> {
        let standing = self.sealed.standing(path.item_id);
        let item = self.item(path)?.ok_or(QueueError::NotKept)?;
        let (book_id, ends_at, copies) = (item.book_id, item.ends_at, item.format.copies());
        let is_draw = item.format.draw().is_some();
        let mut closed = ClosedItem::apart(path, closing, copies, now);
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
        // No ticket is better than another.
        let best = opened.iter().filter(|_| !is_draw).map(|bid| LeadingBid::of(bid));
        self.priced_item(path)?.lead_best(best);
        let sold = Sold { path, book_id, by, opened: &opened };
        match closed.closing.unsold() {
            Some(_) => {}
            None if is_draw => self.draw(&mut closed, sold, &standing)?,
            None => self.settle(&mut closed, sold, &standing)?,
        }
        self.priced_item(path)?.close(now);
        self.closings.close_item(closed);
        Ok(())
    }

    /// Sells copies to the sealed bids that win them, each at its price, which the book charges.
    fn settle(
        &mut self,
        closed: &mut ClosedItem,
        Sold { path, book_id, by, opened }: Sold<'_>,
        standing: &[Arc<SealedBid>],
    ) -> Result<(), QueueError> {
        for win in self.priced_item(path)?.settle(path.item_id, standing)? {
            let Some(bid) = opened.get(win.bid) else { continue };
            let copy = i64::from(win.copy);
            if let Some(book_id) = book_id {
                let winner = Commitment { holder_id: bid.bidder.id, amount: win.price };
                let sale =
                    Sale { item_id: path.item_id, outcome_id: closed.id_of(copy), copy, number: 1, by };
                let book = self.cache.book_mut(book_id)?;
                book.charge(winner, sale);
                book.share(path.auction_id, sale, winner);
            }
            closed.sell(copy, bid, (win.entered, win.price), by);
        }
        Ok(())
    }

    /// Sells copies to the tickets that are drawn. The book charges each holder for all tickets, once: a
    /// winner with the first copy that the holder has won. It shares that with the first copy.
    fn draw(
        &mut self,
        closed: &mut ClosedItem,
        Sold { path, book_id, by, opened }: Sold<'_>,
        standing: &[Arc<SealedBid>],
    ) -> Result<(), QueueError> {
        let mut won: HashMap<UserId, Sale> = HashMap::new();
        for drawn in self.priced_item(path)?.draw(path.item_id, standing)? {
            let Some(bid) = opened.get(drawn.row) else { continue };
            let copy = i64::from(drawn.copy);
            let sale = Sale { item_id: path.item_id, outcome_id: closed.id_of(copy), copy, number: 1, by };
            won.entry(bid.bidder.id).or_insert(sale);
            closed.sell(copy, bid, (bid.entered.clone(), bid.normalized), by);
        }
        let Some(book_id) = book_id.filter(|_| !won.is_empty()) else { return Ok(()) };
        // In the order of their first receipts.
        let mut places: HashMap<UserId, usize> = HashMap::new();
        let mut holders: Vec<Commitment> = Vec::new();
        for bid in standing {
            let place = *places.entry(bid.bidder.id).or_insert(holders.len());
            match holders.get_mut(place) {
                Some(holder) => {
                    holder.amount = holder.amount.checked_add(bid.normalized).ok_or(QueueError::NotKept)?;
                }
                None => holders.push(Commitment::from(&**bid)),
            }
        }
        let book = self.cache.book_mut(book_id)?;
        let mut spent = Normalized::ZERO;
        for holder in holders {
            match won.get(&holder.holder_id) {
                Some(sale) => book.charge(holder, *sale),
                None => book.charge_lost_tickets(holder, path.item_id, by),
            }
            spent = spent.checked_add(holder.amount).ok_or(QueueError::NotKept)?;
        }
        if let Some((holder_id, sale)) = won.into_iter().find(|(_, sale)| sale.copy == 1) {
            book.share(path.auction_id, sale, Commitment { holder_id, amount: spent });
        }
        Ok(())
    }
}

/// An item that its bids win when it is closed.
struct Sold<'a> {
    path: ItemPath,
    book_id: Option<BookId>,
    by: Option<UserId>,
    /// Its bids in the ledger, in the order of their receipts.
    opened: &'a [Arc<Bid>],
}
