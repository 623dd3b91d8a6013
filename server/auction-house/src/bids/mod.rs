//! Bids. The path of a bid is `routes` → [`entered`] → [`place`] → [`queue`] with its [`entry`] → [`batch`], which reads
//! through its [`cache`](batch::cache), changes its [`state`](batch::state), asks its [`judge`](batch::judge) and writes
//! through [`store`]; the answer goes back in the entry. A [`withdraw`]al takes the same path.

pub mod access;
pub mod batch;
pub mod closing;
pub mod document;
pub mod entered;
pub mod entry;
pub mod idempotency;
pub mod list;
pub mod own;
pub mod place;
pub mod prices;
pub mod pricing;
pub mod queue;
pub mod routes;
pub mod store;
pub mod validate;
pub mod withdraw;
pub mod withdrawal;

use rules_engine::BidForm;
use rules_engine::money::Normalized;

use crate::bids::withdrawal::Withdrawal;
use crate::ids::{AuctionId, BidId, CurrencyId, ItemId};
use crate::items::bidding::LeadingBid;
use accounts::Person;
use platform::time::Moment;

/// An accepted bid, as it is in the ledger, standing or withdrawn.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Bid {
    pub id: BidId,
    pub auction_id: AuctionId,
    pub item_id: ItemId,
    /// 1, 2, 3 … within the item, without gaps.
    pub sequence: i64,
    /// The account may be gone since.
    pub bidder: Person,
    /// Absent in a legacy auction.
    pub currency_profile_id: Option<CurrencyId>,
    /// What was entered, brought to the profile's precision: one of its two members.
    pub entered: BidForm,
    pub normalized: Normalized,
    pub is_anonymous: bool,
    /// The item's end in force once this bid was placed.
    pub item_end_date: Option<Moment>,
    pub created_at: Moment,
    pub withdrawn: Option<Withdrawal>,
}

impl LeadingBid {
    /// A bid that leads.
    pub fn of(bid: &Bid) -> Self {
        Self { sequence: bid.sequence, bidder_id: bid.bidder.id, normalized: bid.normalized }
    }
}
