//! The lead on one item, followed from bid to bid and from withdrawal to withdrawal.

use std::collections::{BTreeMap, VecDeque};

use super::changes::{Cause, PositionChanges};
use crate::bids::store::leads::{LedgerBid, LedgerWithdrawal, StoodBid};
use crate::ids::UserId;
use crate::notifications::NotificationKind;

/// The newest standing bid of an item is its highest: whose it is leads.
#[derive(Debug)]
pub(super) struct ItemLead {
    /// The newest standing bids by their positions: one more than can still be withdrawn.
    standing: BTreeMap<i64, Standing>,
    /// Withdrawals that come later, in their order.
    withdrawals: VecDeque<LedgerWithdrawal>,
    changes: PositionChanges,
}

#[derive(Debug, Clone, Copy)]
struct Standing {
    bidder: UserId,
    sequence: i64,
}

/// What one user is to be told of an item.
#[derive(Debug, Clone, Copy)]
pub(super) struct LeadNews {
    pub(super) user: UserId,
    pub(super) kind: NotificationKind,
    pub(super) cause: Cause,
    /// The sequence of the bid that leads.
    pub(super) leading: i64,
}

impl ItemLead {
    /// An item before these withdrawals.
    pub(super) fn new(withdrawals: VecDeque<LedgerWithdrawal>) -> Self {
        Self { standing: BTreeMap::new(), withdrawals, changes: PositionChanges::default() }
    }

    /// Takes note of a bid that stood before.
    pub(super) fn stood(&mut self, bid: StoodBid) {
        self.standing.insert(bid.position, Standing { bidder: bid.bidder_id, sequence: bid.sequence });
    }

    /// Goes on to a bid.
    pub(super) fn bid(&mut self, bid: LedgerBid) {
        self.withdraw_until(bid.position);
        let cause = Cause { position: bid.position, at: bid.created_at };
        self.changes.outbid(self.leader(), bid.bidder_id, cause);
        self.standing.insert(bid.position, Standing { bidder: bid.bidder_id, sequence: bid.sequence });
        while self.standing.len() > self.withdrawals.len() + 1 {
            self.standing.pop_first();
        }
    }

    /// Goes on to the end. Nobody is outbid where no bid stands.
    pub(super) fn into_news(mut self) -> impl Iterator<Item = LeadNews> {
        self.withdraw_until(i64::MAX);
        let leading = self.standing.last_key_value().map(|(_, bid)| bid.sequence);
        let news = leading.map(|leading| {
            let told = self.changes.into_news();
            told.map(move |(user, kind, cause)| LeadNews { user, kind, cause, leading })
        });
        news.into_iter().flatten()
    }

    fn leader(&self) -> Option<UserId> {
        self.standing.last_key_value().map(|(_, bid)| bid.bidder)
    }

    /// The withdrawals before the bid at `position`.
    fn withdraw_until(&mut self, position: i64) {
        while let Some(withdrawal) = self.withdrawals.pop_front_if(|withdrawal| withdrawal.newest < position)
        {
            let before = self.leader();
            self.standing.remove(&withdrawal.position);
            let cause = Cause { position: withdrawal.head, at: withdrawal.withdrawn_at };
            self.changes.withdrawn(before, self.leader(), cause);
        }
    }
}
