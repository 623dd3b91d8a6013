//! An item as its bids meet it: what decides whether it takes one, and what a bid makes of it.

use rules_engine::ItemTerms;
use rules_engine::money::Normalized;

use super::format::Format;
use super::{ItemStatus, LegacyPrice, status};
use crate::auctions::AntiSnipe;
use crate::books::state::Commitment;
use crate::ids::{AuctionId, BookId, UserId};
use platform::time::Moment;
use platform::token::LinkToken;

/// The columns of an item that decide about a bid, read in one query.
#[derive(Debug, Clone)]
pub struct BidItem {
    pub auction_id: AuctionId,
    /// Book of the auction, from which its bidders pay.
    pub book_id: Option<BookId>,
    /// The auction has a group, whose people have numbers.
    pub has_group: bool,
    /// Everyone signed in sees the auction.
    pub is_free: bool,
    /// Sees the item as a draft.
    pub creator_id: UserId,
    /// May not bid on it.
    pub seller_id: UserId,
    pub is_published: bool,
    pub starts_at: Option<Moment>,
    /// The end in force.
    pub ends_at: Option<Moment>,
    /// The end of its auction, where items have no ends: they close with it.
    pub sale_ends_at: Option<Moment>,
    /// When it was closed for good, it or its auction, whatever the ends are.
    pub closed_at: Option<Moment>,
    pub anti_snipe: AntiSnipe,
    pub format: Format,
    /// From which a draw follows, where chance may decide.
    pub seed: Option<LinkToken>,
    /// What holds where the auction has currency profiles.
    pub terms: ItemTerms,
    /// What holds where it has none.
    pub legacy: Option<LegacyPrice>,
    /// Version of the row. The version that clients see is higher: see [`Self::version`].
    pub row_version: i64,
    /// Sequence of the newest of all its bids; 0 before the first.
    pub last_sequence: i64,
    /// Where the newest bid is in the ledger.
    pub last_position: Option<i64>,
    /// How many of its bids were withdrawn.
    pub withdrawals: i64,
    /// Its highest standing bid. None while bids are sealed, and in a draw.
    pub leading: Option<LeadingBid>,
}

/// The highest standing bid of an item: of all standing ones the newest.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LeadingBid {
    pub sequence: i64,
    /// Its place in the ledger of the auction.
    pub position: i64,
    pub bidder_id: UserId,
    pub normalized: Normalized,
}

impl From<LeadingBid> for Commitment {
    fn from(bid: LeadingBid) -> Self {
        Self { holder_id: bid.bidder_id, amount: bid.normalized }
    }
}

impl BidItem {
    /// What the next bid has to exceed.
    pub fn highest(&self) -> Option<Normalized> {
        self.leading.map(|leading| leading.normalized)
    }

    /// Whether a bid or a withdrawal at `now` moves the end.
    pub fn is_late(&self, now: Moment) -> bool {
        let late = |end: Moment| now >= end.plus_seconds(-self.anti_snipe.threshold_seconds);
        !self.format.is_apart() && self.anti_snipe.enabled && self.ends_at.is_some_and(late)
    }

    /// Whether bids are hidden now.
    pub fn is_sealed(&self) -> bool {
        self.format.is_sealed() && self.closed_at.is_none()
    }

    /// Whether bids stand apart from the ledger now, and none leads: sealed ones, and tickets.
    pub fn has_bids_apart(&self) -> bool {
        self.format.is_apart() && self.closed_at.is_none()
    }

    pub fn status(&self, now: Moment) -> ItemStatus {
        status(self.closed_at, self.ends_at.or(self.sale_ends_at), self.is_published, self.starts_at, now)
    }

    /// The version that clients see: each bid raises it, too.
    pub fn version(&self) -> i64 {
        self.row_version + self.last_sequence
    }

    /// The end in force once a bid is accepted or withdrawn at `now`: a late one moves it, and never back
    /// (SPEC, section 3).
    pub fn end_after_bid(&self, now: Moment) -> Option<Moment> {
        let end = self.ends_at?;
        let moved = self.is_late(now);
        Some(if moved { end.max(now.plus_seconds(self.anti_snipe.extension_seconds)) } else { end })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(seconds: i64) -> Moment {
        Moment::from_millis(seconds * 1000).unwrap()
    }

    fn item(anti_snipe: AntiSnipe) -> BidItem {
        BidItem {
            auction_id: AuctionId::new(at(0)),
            book_id: None,
            has_group: false,
            is_free: false,
            creator_id: UserId::new(at(0)),
            seller_id: UserId::new(at(0)),
            is_published: true,
            starts_at: None,
            ends_at: Some(at(1000)),
            sale_ends_at: None,
            closed_at: None,
            anti_snipe,
            format: Format::Open,
            seed: None,
            terms: ItemTerms::default(),
            legacy: None,
            row_version: 1,
            last_sequence: 0,
            last_position: None,
            withdrawals: 0,
            leading: None,
        }
    }

    #[test]
    fn a_late_bid_moves_the_end_and_never_back() {
        let minute = AntiSnipe { enabled: true, threshold_seconds: 60, extension_seconds: 90 };
        let end = |now| item(minute).end_after_bid(at(now)).unwrap();
        assert_eq!(end(939), at(1000), "before the threshold");
        assert_eq!(end(940), at(1030), "within it");
        assert_eq!(end(999), at(1089));
        let short = AntiSnipe { enabled: true, threshold_seconds: 600, extension_seconds: 5 };
        assert_eq!(
            item(short).end_after_bid(at(500)),
            Some(at(1000)),
            "one that ends earlier changes nothing"
        );
        let off = AntiSnipe { enabled: false, ..minute };
        assert_eq!(item(off).end_after_bid(at(999)), Some(at(1000)));
        let endless = BidItem { ends_at: None, ..item(minute) };
        assert_eq!(endless.end_after_bid(at(500)), None);
    }
}
