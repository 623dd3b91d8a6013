//! Kinds of ids of the sale.

pub use accounts::ids::{GroupId, ListId};
pub use platform::ids::UserId;

platform::ids! {
    AuctionId;
    BidId;
    BookId;
    /// Id of a currency profile.
    CurrencyId;
    ImageId;
    /// Id of an import of a table.
    ImportId;
    InviteId;
    ItemId;
    MailId;
    NotificationId;
    OutcomeId;
    RuleId;
    /// Id of a grant that waits for the user with an e-mail.
    WaitingGrantId;
}
