//! Auctions in lists, and the page of one.

use super::wire::wire_enum;

wire_enum! {
    AuctionStatus {
        Open = "OPEN",
        Closed = "CLOSED",
    }
}

wire_enum! {
    /// The viewer's role in an auction.
    Role {
        Owner = "OWNER",
        Admin = "ADMIN",
        Clerk = "CLERK",
        Creator = "CREATOR",
        Bidder = "BIDDER",
    }
}

/// Which pages of an auction are for the viewer.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct AuctionAccess {
    pub is_member: bool,
    /// The viewer may change the auction.
    pub can_change: bool,
    /// The viewer may bid for others and hammer.
    pub runs_hall: bool,
}
