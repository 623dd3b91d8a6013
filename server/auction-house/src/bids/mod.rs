//! Bids: receiving, queueing, judging and keeping them. The path of a bid is `routes` → [`place`] → [`queue`] →
//! [`commit`], which asks [`judge`] and writes through [`store`]; the answer goes the same way back.

pub mod access;
pub mod close;
pub mod commit;
pub mod document;
pub mod entered;
pub mod idempotency;
pub mod judge;
pub mod known;
pub mod list;
pub mod market;
pub mod place;
pub mod queue;
pub mod round;
pub mod round_item;
pub mod routes;
pub mod store;
pub mod validate;

use rules_engine::BidForm;
use rules_engine::money::Normalized;

use crate::accounts::Person;
use crate::ids::{AuctionId, BidId, CurrencyId, ItemId};
use platform::time::Moment;

/// An accepted bid, as it stands in the ledger.
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
}
