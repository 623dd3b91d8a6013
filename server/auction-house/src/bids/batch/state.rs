//! The state of one batch: read when its transaction begins, changed by each accepted request, written at the
//! commit. In between nothing waits, and nothing else writes. The verbs decide; the state offers them what
//! they decide on, and takes what they have accepted.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use rules_engine::money::Normalized;

use super::cache::BatchCache;
use super::closings::BatchClosings;
use super::item::ItemState;
use super::needs::Needs;
use super::placed::{BatchBids, KeyedBid};
use super::sealed::BatchSealed;
use super::withdrawals::BatchWithdrawals;
use crate::access::{self, MemberKey, Membership, NamedMember, Role, Standing};
use crate::auctions::people::PeopleShown;
use crate::bids::Bid;
use crate::bids::idempotency::KeyedRequest;
use crate::bids::queue_error::QueueError;
use crate::bids::sealed::SealedBid;
use crate::bids::store::ScopedKey;
use crate::books::state::Commitment;
use crate::creations::calls::BatchCalls;
use crate::ids::{AuctionId, ItemId, UserId};
use crate::items::bidding::{BidItem, LeadingBid};
use crate::path::{BidPath, ItemPath};
use accounts::Person;
use platform::db::{Batch, DbError};
use platform::time::Moment;
use platform::verb::VerbError;

/// What the requests of a batch are judged against, and what they have changed.
pub struct BatchState {
    pub(super) cache: BatchCache,
    /// Members for whom clerks act, by their keys.
    named: HashMap<(AuctionId, MemberKey), Person>,
    pub(super) bids: BatchBids,
    /// Calls of clerks in halls, by their idempotency keys.
    pub calls: BatchCalls,
    pub(super) withdrawals: BatchWithdrawals,
    pub(super) sealed: BatchSealed,
    pub(super) closings: BatchClosings,
}

impl BatchState {
    /// Reads what the requests need and is not cached.
    pub(super) async fn read(
        conn: &mut Batch,
        mut cache: BatchCache,
        needs: &mut [Needs],
        now: Moment,
    ) -> Result<Self, DbError> {
        let named = find_named(conn, needs).await?;
        cache.load(conn, needs).await?;
        let withdrawals = BatchWithdrawals::read(conn, &cache, needs).await?;
        let bids = BatchBids::read(conn, &cache, needs).await?;
        let calls =
            BatchCalls::load(conn, &needs.iter().filter_map(|needs| needs.call.as_ref()).collect()).await?;
        let closings = BatchClosings::read(conn, &cache, needs, now).await?;
        cache.load_apart(conn, closings.items_apart()).await?;
        let sealed = BatchSealed::read(conn, &cache, needs, closings.items_apart()).await?;
        let standing = withdrawals.bidders().chain(sealed.bidders()).collect::<Vec<_>>();
        let closing = closings.items_with_book();
        cache.load_balances(conn, needs, standing.into_iter(), &closing).await?;
        cache.load_sharing(conn, needs, &closing, now).await?;
        Ok(Self { cache, named, bids, calls, withdrawals, sealed, closings })
    }

    /// A bid that is in the ledger if the batch is committed.
    pub(super) fn first_accepted(&self) -> Option<&Bid> {
        self.bids.accepted().next()
    }

    /// A sealed bid that is in the database if the batch is committed.
    pub(super) fn first_sealed(&self) -> Option<&SealedBid> {
        self.sealed.first_accepted()
    }

    /// What the next batch may reuse once this one is committed.
    pub(super) fn into_cache(self) -> BatchCache {
        self.cache
    }

    /// The role of a user in an auction.
    pub fn role(&self, auction_id: AuctionId, user_id: UserId) -> Option<Role> {
        self.cache.role(auction_id, user_id)
    }

    /// The member for whom a clerk acts.
    ///
    /// # Errors
    /// The invalid members of the name.
    pub fn named<R>(&self, auction_id: AuctionId, named: &NamedMember) -> Result<&Person, VerbError<R>> {
        let key = named.key()?;
        self.named.get(&(auction_id, key)).ok_or_else(|| vec![key.unknown()].into())
    }

    /// How the user stands with the auction.
    pub fn standing(&self, auction_id: AuctionId, user_id: UserId) -> Standing {
        self.cache.standing(auction_id, user_id)
    }

    /// How these users, who were read, are shown to a viewer who may know them.
    pub fn people(&self, item: &BidItem, users: impl IntoIterator<Item = UserId>) -> PeopleShown {
        let number = |user: UserId| Some((user, self.cache.number(item.auction_id, user)?));
        PeopleShown::known_by(item.has_group.then(|| users.into_iter().filter_map(number).collect()))
    }

    /// An item of an auction, if there is one.
    ///
    /// # Errors
    /// `NotKept` if it can't be read.
    pub fn item(&self, path: ItemPath) -> Result<Option<&BidItem>, QueueError> {
        match self.cache.items.get(&path.item_id) {
            Some(None) => Err(QueueError::NotKept),
            Some(Some(state)) => Ok(Some(state.item()).filter(|item| item.auction_id == path.auction_id)),
            None => Ok(None),
        }
    }

    /// An item with the rules for its bids.
    ///
    /// # Errors
    /// `NotKept` if it is not there.
    pub fn priced_item(&mut self, path: ItemPath) -> Result<&mut ItemState, QueueError> {
        self.cache.items.get_mut(&path.item_id).and_then(Option::as_mut).ok_or(QueueError::NotKept)
    }

    /// What the bidder has available for an item; `None` in an auction without a book.
    pub fn available(
        &self,
        item: &BidItem,
        item_id: ItemId,
        bidder: UserId,
    ) -> Result<Option<Normalized>, QueueError> {
        let Some(book_id) = item.book_id else { return Ok(None) };
        let own = match item.leading {
            Some(leading) => Some(leading.into()),
            None => self.replaced_by(item, item_id, bidder),
        };
        let available = self.cache.book(book_id)?.available_for(bidder, own);
        available.map(Some).map_err(|error| QueueError::not_kept(&error))
    }

    /// The commitment that the next bid of a user on an item that is sealed replaces. Tickets replace none.
    fn replaced_by(&self, item: &BidItem, item_id: ItemId, bidder: UserId) -> Option<Commitment> {
        let own = self.sealed.own(item_id, bidder).first().filter(|_| item.is_sealed())?;
        Some(Commitment::from(&**own))
    }

    /// Whether the user is a holder of the book of the item's auction, or can become one. True without a
    /// book.
    pub fn has_room(&self, item: &BidItem, user: UserId) -> Result<bool, QueueError> {
        item.book_id.map_or(Ok(true), |book_id| Ok(self.cache.book(book_id)?.takes(user)))
    }

    /// The bid of an idempotency key, from an earlier batch or from this one.
    pub fn keyed_bid(&self, key: &ScopedKey) -> Option<&KeyedBid> {
        self.bids.keyed(key)
    }

    /// The place in the ledger of the next bid in an auction of the batch.
    ///
    /// # Errors
    /// `NotKept` if the auction was not read.
    pub fn next_position(&self, auction_id: AuctionId) -> Result<i64, QueueError> {
        self.cache.next_position(auction_id).ok_or(QueueError::NotKept)
    }

    /// Accepts a bid on an item of the batch: it leads for the requests after it. Its bidder joins the
    /// auction and its book.
    pub fn accept(&mut self, bid: Bid, keyed: Option<KeyedRequest>) -> Result<Arc<Bid>, QueueError> {
        let (path, bidder_id) =
            (ItemPath { auction_id: bid.auction_id, item_id: bid.item_id }, bid.bidder.id);
        let item = self.item(path)?.ok_or(QueueError::NotKept)?;
        let (book_id, had) = (item.book_id, item.leading);
        if let Some(book_id) = book_id {
            self.cache.book_mut(book_id)?.place(had.map(Commitment::from), LeadingBid::of(&bid).into());
        }
        let previous = self.priced_item(path)?.accept(&bid);
        self.cache.count_bid(path.auction_id);
        self.join(path.auction_id, bidder_id);
        let bid = Arc::new(bid);
        self.withdrawals.accept_bid(&bid);
        self.bids.outbid(&bid, previous, had);
        self.bids.accept(Arc::clone(&bid), previous, keyed);
        Ok(bid)
    }

    /// Makes a bidder a member of a FREE auction.
    fn join(&mut self, auction_id: AuctionId, bidder_id: UserId) {
        if self.role(auction_id, bidder_id).is_none() {
            let member = Membership { role: Role::Bidder, number: None };
            self.cache.insert_member(auction_id, bidder_id, member);
            self.bids.join(auction_id, bidder_id);
        }
    }

    /// The receipt of the next bid on an item whose bids stand apart.
    pub fn next_receipt(&self, item_id: ItemId) -> i64 {
        self.sealed.next_receipt(item_id)
    }

    /// Accepts a bid that stands apart: a sealed one in place of the one that its bidder had, tickets beside
    /// others. The bidder joins the auction and its book.
    pub fn accept_apart(
        &mut self,
        bid: SealedBid,
        keyed: Option<KeyedRequest>,
    ) -> Result<Arc<SealedBid>, QueueError> {
        let path = ItemPath { auction_id: bid.auction_id, item_id: bid.item_id };
        let item = self.item(path)?.ok_or(QueueError::NotKept)?;
        if let Some(book_id) = item.book_id {
            let had = self.replaced_by(item, bid.item_id, bid.bidder.id);
            self.cache.book_mut(book_id)?.place(had, Commitment::from(&bid));
        }
        self.change_tickets(path, &bid)?;
        self.join(bid.auction_id, bid.bidder.id);
        let bid = Arc::new(bid);
        if let Some(keyed) = &keyed {
            self.bids.keep_apart(&bid, keyed);
        }
        self.sealed.place(Arc::clone(&bid), keyed);
        Ok(bid)
    }

    /// The standing bids of a user on an item that stand apart, in the order of their receipts.
    pub fn bids_apart(&self, item_id: ItemId, bidder: UserId) -> &[Arc<SealedBid>] {
        self.sealed.own(item_id, bidder)
    }

    /// The standing bid of an item that stands apart and has this receipt, for a request that withdraws it.
    pub fn bid_apart(&self, item_id: ItemId, receipt: i64) -> Option<&Arc<SealedBid>> {
        self.sealed.bid(item_id, receipt)
    }

    /// Withdraws a standing bid that stands apart. Nobody else sees that a sealed one was there.
    pub fn withdraw_apart(&mut self, bid: &SealedBid, by: UserId, now: Moment) -> Result<(), QueueError> {
        let path = ItemPath { auction_id: bid.auction_id, item_id: bid.item_id };
        if let Some(book_id) = self.item(path)?.ok_or(QueueError::NotKept)?.book_id {
            self.cache.book_mut(book_id)?.lead(Some(Commitment::from(bid)), None);
        }
        self.change_tickets(path, bid)?;
        self.sealed.withdraw(bid, by, now);
        Ok(())
    }

    /// The first change of a draw's tickets in a batch raises the version of the item, which everyone sees.
    fn change_tickets(&mut self, path: ItemPath, bid: &SealedBid) -> Result<(), QueueError> {
        if bid.tickets.is_some() && !self.sealed.has_drawn(path.item_id) {
            self.priced_item(path)?.raise_version();
        }
        Ok(())
    }

    /// Whether an item that may be closed has a bid that it could be sold for.
    pub fn has_standing_bid(&self, item: &BidItem, item_id: ItemId) -> bool {
        item.leading.is_some() || !self.sealed.standing(item_id).is_empty()
    }

    /// A bid that a request of the batch withdraws, with the changes of the batch.
    pub fn bid(&self, path: BidPath) -> Option<&Arc<Bid>> {
        self.withdrawals.bid(path.item_id, path.sequence)
    }

    /// How many of their own bids the user has withdrawn in the auction.
    pub fn withdrawn_by(&self, auction_id: AuctionId, user_id: UserId) -> i64 {
        self.withdrawals.of_bidder(auction_id, user_id)
    }

    /// Withdraws a bid of an item of the batch: the highest standing bid leads for the requests after it. In
    /// an auction with a book the bidder who leads then may have committed too much.
    pub fn withdraw(&mut self, bid: Bid, now: Moment) -> Result<Arc<Bid>, QueueError> {
        let path = ItemPath { auction_id: bid.auction_id, item_id: bid.item_id };
        let item = self.item(path)?.ok_or(QueueError::NotKept)?;
        let (book_id, had) = (item.book_id, item.leading);
        let newest = item.last_position.unwrap_or(bid.position);
        let (bid, has) = self.withdrawals.withdraw(bid, newest);
        self.priced_item(path)?.withdraw(has, now);
        if let Some(book_id) = book_id
            && has != had
        {
            self.cache.book_mut(book_id)?.lead(had.map(Commitment::from), has.map(Commitment::from));
        }
        Ok(bid)
    }

    /// The leader of an item with what is available to the leader, if that is less than nothing.
    pub fn overcommitted(&self, path: ItemPath) -> Result<Option<(UserId, Normalized)>, QueueError> {
        let Some(item) = self.item(path)? else { return Ok(None) };
        let (Some(book_id), Some(leading)) = (item.book_id, item.leading) else { return Ok(None) };
        let funds = self.cache.book(book_id)?.funds(leading.bidder_id);
        let available = funds.map_err(|error| QueueError::not_kept(&error))?.available();
        Ok(Some((leading.bidder_id, available)).filter(|(_, available)| available.is_negative()))
    }
}

/// Finds the members for whom clerks act, and fills in the `user_id` of their requests.
async fn find_named(
    conn: &mut Batch,
    needs: &mut [Needs],
) -> Result<HashMap<(AuctionId, MemberKey), Person>, DbError> {
    let wanted: HashSet<_> =
        needs.iter().filter_map(|needs| Some((needs.auction_id, needs.member?))).collect();
    let named = access::store::named::find(conn, &Vec::from_iter(wanted)).await?;
    for needs in needs {
        if let Some(key) = needs.member {
            needs.user_id = named.get(&(needs.auction_id, key)).map(|member| member.id);
        }
    }
    Ok(named)
}
