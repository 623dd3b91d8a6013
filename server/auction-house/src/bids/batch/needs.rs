//! What a batch reads for a request before it is judged.

use crate::access::MemberKey;
use crate::bids::store::ScopedKey;
use crate::creations::CallKey;
use crate::ids::{AuctionId, ItemId, UserId};

/// What a batch reads for a request. A batch reads what all of its requests need together.
#[derive(Debug, Clone)]
pub struct Needs {
    /// The auction of the request, which the batch locks, with its book.
    pub auction_id: AuctionId,
    /// The item on which the request is judged.
    pub item_id: Option<ItemId>,
    /// The user whose role in the auction decides, with the user's funds in the book.
    pub user_id: Option<UserId>,
    /// Key of the member for whom a clerk acts. The batch finds the member, and fills in `user_id`.
    pub member: Option<MemberKey>,
    /// The clerk who acts for the user, whose role decides, too.
    pub clerk_id: Option<UserId>,
    /// The idempotency key, with the bid that it stands for.
    pub key: Option<ScopedKey>,
    /// The idempotency key of a call in a hall.
    pub call: Option<CallKey>,
    /// The sequence of the bid of the item that the user withdraws, with the bids that may lead instead.
    pub withdraws: Option<i64>,
    /// The user who closes the auction. The batch reads the auction as this user sees it, and its items that
    /// are not closed.
    pub closed_by: Option<UserId>,
    /// The item may be closed: its sealed bids are opened, and what its book shares at once is read.
    pub closes: bool,
    /// The item is to be cancelled: its followers are told.
    pub cancels: bool,
}

impl Needs {
    /// The needs of a request that is judged on its auction alone.
    pub fn of(auction_id: AuctionId) -> Self {
        Self {
            auction_id,
            item_id: None,
            user_id: None,
            member: None,
            clerk_id: None,
            key: None,
            call: None,
            withdraws: None,
            closed_by: None,
            closes: false,
            cancels: false,
        }
    }
}
