//! Kinds of ids of the sale.

pub use platform::ids::UserId;

platform::ids! {
    AuctionId;
    BidId;
    /// Of a currency profile.
    CurrencyId;
    InviteId;
    ItemId;
    NotificationId;
    OutcomeId;
    RuleId;
    SessionId;
}
