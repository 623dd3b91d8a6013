//! Which users have bid on which items: the table `bidders`, the index of bids by bidder. A row names one bid
//! of the user on the item. A bid writes it only if it is missing, or is 2,000 or more bids of the item past
//! the one that the row names, so that most bids cost nothing more. The newest bid of the user is among the
//! 2,000 bids from there.

use std::collections::{BTreeMap, HashMap};

use crate::bids::Bid;
use crate::ids::{ItemId, UserId};
use crate::usage::NEWEST_BID_WITHIN;

/// Cached bidders, at most. A full cache is emptied: then each bidder is written once more.
const BIDDERS_MAX: usize = 100_000;

/// The sequences in the table of bidders, of the bidders of earlier batches.
///
/// INVARIANT: the row of a bidder has the cached sequence or a higher one.
#[derive(Default)]
pub struct KnownBidders(HashMap<(UserId, ItemId), i64>);

impl KnownBidders {
    /// Adds the bidders of accepted bids, which are in order. Returns those that the batch must write, each
    /// with the sequence of a bid.
    pub fn add<'a>(&mut self, bids: impl Iterator<Item = &'a Bid>) -> BTreeMap<(UserId, ItemId), i64> {
        if self.0.len() > BIDDERS_MAX {
            self.0.clear();
        }
        let mut outdated = BTreeMap::new();
        for bid in bids {
            let bidder = (bid.bidder.id, bid.item_id);
            let is_near = |known: &i64| bid.sequence - known < NEWEST_BID_WITHIN;
            if !self.0.get(&bidder).is_some_and(is_near) {
                self.0.insert(bidder, bid.sequence);
                outdated.insert(bidder, bid.sequence);
            }
        }
        outdated
    }
}

#[cfg(test)]
mod tests {
    use rules_engine::BidForm;

    use super::*;
    use crate::ids::{AuctionId, BidId};
    use accounts::Person;
    use platform::time::Moment;

    fn bid(bidder: UserId, item_id: ItemId, sequence: i64) -> Bid {
        let now = Moment::from_millis(0).unwrap();
        Bid {
            id: BidId::new(now),
            auction_id: AuctionId::new(now),
            item_id,
            sequence,
            position: sequence,
            bidder: Person { id: bidder, name: String::new() },
            currency_profile_id: None,
            entered: BidForm { amount: Some("1".into()), entered_representation: None },
            normalized: "1".parse().unwrap(),
            is_anonymous: false,
            item_end_date: None,
            created_at: now,
            withdrawn: None,
            by_clerk: None,
        }
    }

    #[test]
    fn a_bidder_is_written_with_the_first_bid_and_when_the_row_is_far_behind() {
        let now = Moment::from_millis(0).unwrap();
        let (ada, bob, item) = (UserId::new(now), UserId::new(now), ItemId::new(now));
        let mut known = KnownBidders::default();
        let mut written = |bids: &[Bid]| Vec::from_iter(known.add(bids.iter()).into_values());
        assert_eq!(written(&[bid(ada, item, 1), bid(ada, item, 2)]), [1], "once in a batch");
        assert_eq!(written(&[bid(bob, item, 3)]), [3], "another bidder");
        assert_eq!(written(&[bid(ada, ItemId::new(now), 1)]), [1], "another item");
        assert_eq!(written(&[bid(ada, item, NEWEST_BID_WITHIN)]), [0; 0], "near enough");
        assert_eq!(written(&[bid(ada, item, NEWEST_BID_WITHIN + 1)]), [NEWEST_BID_WITHIN + 1]);
        assert_eq!(written(&[bid(ada, item, NEWEST_BID_WITHIN + 2)]), [0; 0]);
    }
}
