//! Bids that this server has committed and whose bidders were not told yet: what a bid changes need not be
//! read from the ledger again. It is a copy in memory: where it has a gap, the ledger is read.

use std::collections::{HashMap, VecDeque};
use std::sync::Arc;

use parking_lot::Mutex;

use crate::bids::store::leads::{LedgerBid, LedgerPart, StoodBid};
use crate::ids::AuctionId;

/// Bids that are kept, at most. With more of them all are read from the ledger.
const BIDS_MAX: usize = 20_000;

/// A bid, and the one that led on its item before.
#[derive(Debug, Clone, Copy)]
pub struct RecentBid {
    pub bid: LedgerBid,
    pub over: Option<StoodBid>,
}

/// A part of the ledger of an auction that one commit has written, with nothing but these bids.
#[derive(Debug)]
pub struct RecentPart {
    pub part: LedgerPart,
    pub bids: Vec<RecentBid>,
}

/// The parts that were committed last. Clones share them.
#[derive(Debug, Clone, Default)]
pub struct RecentBids(Arc<Mutex<Kept>>);

#[derive(Debug, Default)]
struct Kept {
    parts: HashMap<AuctionId, VecDeque<RecentPart>>,
    bids: usize,
}

impl RecentBids {
    /// Adds what a commit has written, after it.
    pub fn add(&self, committed: Vec<RecentPart>) {
        let mut kept = self.0.lock();
        for part in committed {
            kept.bids += part.bids.len();
            kept.parts.entry(part.part.auction_id).or_default().push_back(part);
        }
        if kept.bids > BIDS_MAX {
            *kept = Kept::default();
        }
    }

    /// The bids of a part of the ledger, if no other transaction has written there.
    pub(super) fn of(&self, wanted: LedgerPart) -> Option<Vec<RecentBid>> {
        let kept = self.0.lock();
        let (mut bids, mut at) = (Vec::new(), wanted.after);
        let parts = kept.parts.get(&wanted.auction_id)?.iter();
        for RecentPart { part, bids: more } in parts.skip_while(|kept| kept.part.after < wanted.after) {
            if part.after != at || part.up_to > wanted.up_to {
                break;
            }
            at = part.up_to;
            bids.extend_from_slice(more);
        }
        (at == wanted.up_to).then_some(bids)
    }

    /// Drops the parts up to a position, whose bidders were told.
    pub(super) fn drop_until(&self, auction_id: AuctionId, position: i64) {
        let kept = &mut *self.0.lock();
        let Some(parts) = kept.parts.get_mut(&auction_id) else { return };
        while let Some(told) = parts.pop_front_if(|kept| kept.part.up_to <= position) {
            kept.bids -= told.bids.len();
        }
        if parts.is_empty() {
            kept.parts.remove(&auction_id);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ids::{ItemId, UserId};
    use platform::time::Moment;

    fn recent(auction_id: AuctionId, after: i64, up_to: i64) -> RecentPart {
        let at = Moment::from_millis(0).unwrap();
        let (item_id, bidder_id) = (ItemId::new(at), UserId::new(at));
        let bid = |position| LedgerBid {
            item_id,
            position,
            previous: None,
            sequence: position,
            bidder_id,
            created_at: at,
        };
        let bids = (after + 1..=up_to).map(|position| RecentBid { bid: bid(position), over: None }).collect();
        RecentPart { part: LedgerPart { auction_id, after, up_to }, bids }
    }

    #[test]
    fn a_part_is_known_if_it_has_no_gap() {
        let auction_id = AuctionId::new(Moment::from_millis(0).unwrap());
        let kept = RecentBids::default();
        for (after, up_to) in [(2, 5), (5, 9), (12, 13)] {
            kept.add(vec![recent(auction_id, after, up_to)]);
        }
        let positions = |after, up_to| {
            let bids = kept.of(LedgerPart { auction_id, after, up_to })?;
            Some(Vec::from_iter(bids.into_iter().map(|recent| recent.bid.position)))
        };
        assert_eq!(positions(2, 5), Some(vec![3, 4, 5]));
        assert_eq!(positions(2, 9), Some(vec![3, 4, 5, 6, 7, 8, 9]));
        assert_eq!(positions(5, 9), Some(vec![6, 7, 8, 9]));
        for (after, up_to) in [(1, 9), (3, 9), (2, 8), (2, 13), (9, 13), (13, 14)] {
            assert_eq!(positions(after, up_to), None, "{after} to {up_to}");
        }
        kept.drop_until(auction_id, 8);
        assert_eq!(positions(2, 5), None);
        assert_eq!(positions(5, 9), Some(vec![6, 7, 8, 9]), "a part stays whole");
        kept.drop_until(auction_id, 13);
        let kept = kept.0.lock();
        assert_eq!((kept.parts.len(), kept.bids), (0, 0));
    }

    #[test]
    fn too_many_bids_are_left_to_the_ledger() {
        let auction_id = AuctionId::new(Moment::from_millis(0).unwrap());
        let kept = RecentBids::default();
        let most = i64::try_from(BIDS_MAX).unwrap();
        kept.add(vec![recent(auction_id, 0, most)]);
        assert!(kept.of(LedgerPart { auction_id, after: 0, up_to: most }).is_some());
        kept.add(vec![recent(auction_id, most, most + 1)]);
        assert!(kept.of(LedgerPart { auction_id, after: 0, up_to: most }).is_none());
    }
}
