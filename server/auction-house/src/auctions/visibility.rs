//! Which viewers see the bidder of a bid (SPEC, section 3), in lists, items and streams.

use super::BidderVisibility;
use crate::access::{Action, Role};
use crate::ids::UserId;

/// A viewer of one item.
#[derive(Debug, Clone, Copy)]
pub struct ItemViewer {
    pub user: UserId,
    pub role: Option<Role>,
    /// Of the item.
    pub is_seller: bool,
    /// No member of an auction that anyone may read.
    pub is_outsider: bool,
}

/// One bid of that item.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BidFacts {
    pub bidder: UserId,
    pub is_anonymous: bool,
    /// The highest bid of an item that is closed.
    pub won: bool,
}

/// The bidder, if the viewer may know them.
pub fn visible_bidder(visibility: BidderVisibility, viewer: ItemViewer, bid: BidFacts) -> Option<UserId> {
    let hidden = match visibility {
        _ if viewer.is_outsider => true,
        BidderVisibility::Visible => false,
        BidderVisibility::Numbers | BidderVisibility::Anonymous => true,
        BidderVisibility::PerBid => bid.is_anonymous,
    };
    let may_know = bid.bidder == viewer.user
        || viewer.role.is_some_and(|role| role.may(Action::SeeBidders))
        || (viewer.is_seller && bid.won && !viewer.is_outsider);
    (!hidden || may_know).then_some(bid.bidder)
}

#[cfg(test)]
mod tests {
    use super::*;
    use platform::time::Moment;

    #[test]
    fn hidden_bidders_are_known_to_themselves_the_managers_and_the_seller_who_sold() {
        let new_user = || UserId::new(Moment::from_millis(0).unwrap());
        let (bidder, other) = (new_user(), new_user());
        let member =
            ItemViewer { user: other, role: Some(Role::Bidder), is_seller: false, is_outsider: false };
        let bid = BidFacts { bidder, is_anonymous: true, won: false };
        for visibility in [BidderVisibility::Numbers, BidderVisibility::Anonymous, BidderVisibility::PerBid] {
            let sees = |viewer, bid| visible_bidder(visibility, viewer, bid).is_some();
            assert!(!sees(member, bid));
            assert!(!sees(ItemViewer { role: None, ..member }, bid));
            assert!(sees(ItemViewer { user: bidder, ..member }, bid));
            assert!(sees(ItemViewer { role: Some(Role::Admin), ..member }, bid));
            assert!(!sees(ItemViewer { role: Some(Role::Creator), is_seller: true, ..member }, bid));
            assert!(sees(ItemViewer { is_seller: true, ..member }, BidFacts { won: true, ..bid }));
            assert!(!sees(member, BidFacts { won: true, ..bid }));
        }
        let outsider = ItemViewer { role: None, is_outsider: true, ..member };
        for visibility in BidderVisibility::ALL {
            let sees = |viewer, bid| visible_bidder(visibility, viewer, bid).is_some();
            let won = BidFacts { bidder, is_anonymous: false, won: true };
            assert!(!sees(outsider, won), "{visibility}");
            assert!(!sees(ItemViewer { is_seller: true, ..outsider }, won), "a removed seller, {visibility}");
            assert!(sees(ItemViewer { user: bidder, ..outsider }, won), "the own bid, {visibility}");
        }
        let open = BidFacts { is_anonymous: false, ..bid };
        assert!(visible_bidder(BidderVisibility::PerBid, member, open).is_some());
        assert!(visible_bidder(BidderVisibility::Anonymous, member, open).is_none());
        assert!(visible_bidder(BidderVisibility::Visible, member, bid).is_some());
    }
}
