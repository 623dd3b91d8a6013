//! Bids that stand apart from the ledger until their item is closed: sealed ones (SPEC, section 6a) and
//! tickets of a draw (section 6b). A sealed bid is in none of the places that others see: it has a table of
//! its own, and no event, count, position or price. Tickets, which nobody leads with, are in that table, too,
//! and everyone sees them. When the item is closed, the ledger gets the standing ones, and they are bids like
//! others.

pub mod withdraw;

use rules_engine::BidForm;
use rules_engine::money::Normalized;

use crate::bids::{Bid, ByClerk};
use crate::books::state::Commitment;
use crate::ids::{AuctionId, BidId, CurrencyId, ItemId, UserId};
use accounts::Person;
use platform::time::Moment;

/// A bid that stands apart. One without `tickets` is sealed: nobody but its bidder may see it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SealedBid {
    pub id: BidId,
    pub auction_id: AuctionId,
    pub item_id: ItemId,
    /// 1, 2, 3 … within the item, in the order in which bids were received.
    pub receipt: i64,
    pub bidder: Person,
    /// Absent in a legacy auction.
    pub currency_profile_id: Option<CurrencyId>,
    pub entered: BidForm,
    pub normalized: Normalized,
    pub is_anonymous: bool,
    pub created_at: Moment,
    /// How many tickets of a draw it is for.
    pub tickets: Option<i64>,
    /// The clerk who has placed it for the bidder.
    pub clerk: Option<Person>,
}

impl SealedBid {
    /// The user who sent it: the bidder or the clerk.
    pub fn sender_id(&self) -> UserId {
        self.clerk.as_ref().map_or(self.bidder.id, |clerk| clerk.id)
    }

    /// Its number among the bids of the item, as everyone sees it: none while it is sealed.
    pub fn shown_sequence(&self) -> Option<i64> {
        self.tickets.map(|_| self.receipt)
    }

    /// The bid as the ledger gets it.
    pub fn opened(&self, sequence: i64, position: i64, item_end_date: Option<Moment>) -> Bid {
        let clerk = self.clerk.clone();
        Bid {
            id: self.id,
            auction_id: self.auction_id,
            item_id: self.item_id,
            sequence,
            position,
            bidder: self.bidder.clone(),
            currency_profile_id: self.currency_profile_id,
            entered: self.entered.clone(),
            normalized: self.normalized,
            is_anonymous: self.is_anonymous,
            item_end_date,
            created_at: self.created_at,
            withdrawn: None,
            by_clerk: clerk.map(|clerk| Box::new(ByClerk { clerk, overridden: Vec::new() })),
        }
    }
}

impl From<&SealedBid> for Commitment {
    fn from(bid: &SealedBid) -> Self {
        Self { holder_id: bid.bidder.id, amount: bid.normalized }
    }
}
