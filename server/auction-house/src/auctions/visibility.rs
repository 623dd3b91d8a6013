//! Which viewers see the bidder of a bid (SPEC, section 3), in lists, items and streams.

use super::BidderVisibility;
use crate::access::{Action, Role};
use crate::ids::UserId;

/// A viewer of one item.
#[derive(Debug, Clone, Copy)]
pub struct ItemViewer {
    pub user: UserId,
    pub role: Option<Role>,
    /// The viewer is the seller of the item.
    pub is_seller: bool,
    /// No member of an auction that anyone may read.
    pub is_outsider: bool,
}

/// One bid of that item.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BidFacts {
    /// None for people of whom only their bids are hidden or not, such as those whom a text may name.
    pub bidder: Option<UserId>,
    pub is_anonymous: bool,
    /// The highest bid of an item that is closed.
    pub won: bool,
}

/// Whether the viewer may know the bidder.
pub fn shows_bidder(visibility: BidderVisibility, viewer: ItemViewer, bid: BidFacts) -> bool {
    let hidden = match visibility {
        _ if viewer.is_outsider => true,
        BidderVisibility::Visible => false,
        BidderVisibility::Numbers | BidderVisibility::Anonymous => true,
        BidderVisibility::PerBid => bid.is_anonymous,
    };
    let may_know = bid.bidder == Some(viewer.user)
        || viewer.role.is_some_and(|role| role.may(Action::SeeBidders))
        || (viewer.is_seller && bid.won && !viewer.is_outsider);
    !hidden || may_know
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
        let bid = BidFacts { bidder: Some(bidder), is_anonymous: true, won: false };
        for visibility in [BidderVisibility::Numbers, BidderVisibility::Anonymous, BidderVisibility::PerBid] {
            let sees = |viewer, bid| shows_bidder(visibility, viewer, bid);
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
            let sees = |viewer, bid| shows_bidder(visibility, viewer, bid);
            let won = BidFacts { bidder: Some(bidder), is_anonymous: false, won: true };
            assert!(!sees(outsider, won), "{visibility}");
            assert!(!sees(ItemViewer { is_seller: true, ..outsider }, won), "a removed seller, {visibility}");
            assert!(sees(ItemViewer { user: bidder, ..outsider }, won), "the own bid, {visibility}");
        }
        let open = BidFacts { is_anonymous: false, ..bid };
        assert!(shows_bidder(BidderVisibility::PerBid, member, open));
        assert!(!shows_bidder(BidderVisibility::Anonymous, member, open));
        assert!(shows_bidder(BidderVisibility::Visible, member, bid));
    }
}
