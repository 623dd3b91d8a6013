//! What each role may do in an auction.

use super::Role;

/// What a member does in an auction beyond reading it and bidding, which every member may.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Action {
    ChangeAuction,
    CloseAuction,
    CopyAuction,
    DeleteAuction,
    /// Create, change and delete currency profiles and rules.
    ManageCurrencies,
    AddItems,
    WatchItems,
    /// See, change and delete the items of others, drafts included.
    ManageItems,
    /// Choose the lot number and the seller of an item.
    AssignItems,
    /// End an item before its time, and cancel it.
    CloseItems,
    /// Sell a closed item to the bidder of another standing bid, or to nobody.
    DecideOutcomes,
    /// Mark outcomes as paid and collected.
    MarkOutcomes,
    /// Bid for other members, put items on the block, hammer, and correct what was hammered.
    RunHall,
    /// Export everything in the auction.
    ExportAuction,
    /// Change the roles of members who are not ADMIN, remove them, invite with any role, and pass on the
    /// link.
    ManageMembers,
    /// Change the role of an ADMIN, and remove an ADMIN.
    ManageAdmins,
    /// Make another member the OWNER.
    TransferAuction,
    /// Withdraw the bids of others.
    WithdrawBids,
    /// See the bidder of every bid, whatever the visibility.
    SeeBidders,
}

impl Action {
    /// The table of permissions. Nothing else compares roles.
    pub const fn roles(self) -> &'static [Role] {
        use Role::{Admin, Clerk, Creator, Owner};
        match self {
            Self::DeleteAuction | Self::ManageAdmins | Self::TransferAuction => &[Owner],
            Self::ChangeAuction
            | Self::CloseAuction
            | Self::CopyAuction
            | Self::ManageCurrencies
            | Self::ManageItems
            | Self::AssignItems
            | Self::CloseItems
            | Self::DecideOutcomes
            | Self::ExportAuction
            | Self::ManageMembers
            | Self::WithdrawBids => &[Owner, Admin],
            Self::MarkOutcomes | Self::RunHall | Self::SeeBidders => &[Owner, Admin, Clerk],
            Self::AddItems => &[Owner, Admin, Clerk, Creator],
            Self::WatchItems => &Role::ALL,
        }
    }
}

impl Role {
    pub fn may(self, action: Action) -> bool {
        action.roles().contains(&self)
    }

    /// What another member must be permitted in order to change or remove a member who has this role. `None`
    /// for the OWNER, whom nobody may change or remove.
    pub const fn managed_by(self) -> Option<Action> {
        match self {
            Self::Owner => None,
            Self::Admin => Some(Action::ManageAdmins),
            Self::Clerk | Self::Creator | Self::Bidder => Some(Action::ManageMembers),
        }
    }
}
