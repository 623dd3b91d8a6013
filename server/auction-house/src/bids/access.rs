//! Which items a user sees, for verbs that know no more of an item than its bids need.

use crate::access::{Action, Role};
use crate::ids::UserId;
use crate::items::bidding::BidItem;
use crate::items::store::bidding;
use crate::path::ItemPath;
use platform::db::{Connection, DbError};
use platform::verb::VerbError;

/// An item of an auction, if there is one.
pub async fn find_item(
    conn: &mut Connection,
    ItemPath { auction_id, item_id }: ItemPath,
) -> Result<Option<BidItem>, DbError> {
    let item = bidding::read(conn, &[item_id]).await?.remove(&item_id).transpose()?;
    Ok(item.filter(|item| item.auction_id == auction_id))
}

/// Whether the user may see the item: its creator and the managers alone see a draft.
pub fn sees(item: &BidItem, user_id: UserId, role: Option<Role>) -> bool {
    let sees_auction = role.is_some() || item.is_free;
    let sees_drafts = item.creator_id == user_id || role.is_some_and(|role| role.may(Action::ManageItems));
    sees_auction && (item.is_published || sees_drafts)
}

/// Whether a user with this role may bid for others on the item, and hammer it.
///
/// # Errors
/// `NotFound` or `Forbidden`.
pub fn authorize_clerk<R>(item: &BidItem, user_id: UserId, role: Option<Role>) -> Result<(), VerbError<R>> {
    if !sees(item, user_id, role) {
        Err(VerbError::NotFound)
    } else if !role.is_some_and(|role| role.may(Action::RunHall)) {
        Err(VerbError::Forbidden)
    } else {
        Ok(())
    }
}
