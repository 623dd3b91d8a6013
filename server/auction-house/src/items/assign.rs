//! The lot number and the seller of an item. OWNER and ADMIN choose them; otherwise an item has the next free
//! number, and its creator is its seller.

use super::{Item, store};
use crate::access::{self, Action};
use crate::auctions::access::AuctionView;
use crate::codes;
use crate::ids::{AuctionId, ItemId, UserId};
use crate::usage;
use platform::db::{Connection, DbError};
use platform::fields::Object;
use platform::refusals;
use platform::verb::VerbError;
use rules_engine::LotNumber;

/// What a request says of the lot number and the seller. What it leaves out gets its default.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Assignment {
    pub lot_number: Option<LotNumber>,
    pub seller_id: Option<UserId>,
}

/// The lot number and the seller of an item.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Assigned {
    pub lot_number: LotNumber,
    pub seller_id: UserId,
}

refusals! {
    /// Why an item does not get its lot number or its seller.
    pub enum AssignRefusal {
        NumberTaken => codes::NUMBER_TAKEN, "The lot number belongs to another item of this auction.";
        LeadsItem => codes::LEADS_ITEM, "The member leads the item: withdraw the member's bids first, or choose another seller.";
        HasBids => codes::HAS_BIDS, "The member has standing bids on the item: withdraw them first, or choose another seller.";
    }
}

/// The user that a body names as the seller, if they are a member of the auction.
pub async fn named_seller(
    conn: &mut Connection,
    auction_id: AuctionId,
    body: &Object,
) -> Result<Option<UserId>, DbError> {
    let Some(seller_id) = body.get::<UserId>("sellerId") else { return Ok(None) };
    let role = access::store::role(conn, auction_id, seller_id).await?;
    Ok(role.map(|_| seller_id))
}

/// Assigns the lot number and the seller of an item, under the lock of its auction. `had` is the item before
/// a change, `creator` who typed it in.
pub async fn assign(
    conn: &mut Connection,
    auction: &AuctionView,
    creator: UserId,
    asked: Assignment,
    had: Option<&Item>,
) -> Result<Assigned, VerbError<AssignRefusal>> {
    let auction_id = auction.auction.id;
    let but: Option<ItemId> = had.map(|had| had.id);
    let chooses = asked.lot_number.is_some();
    let assigned = Assigned {
        lot_number: match asked.lot_number {
            Some(number) => number,
            None => store::next_number(conn, auction_id, but).await?,
        },
        seller_id: asked.seller_id.unwrap_or(creator),
    };
    let (chooses_number, changes_seller) = match had {
        Some(had) => (had.lot_number != assigned.lot_number, had.seller.id != assigned.seller_id),
        None => (chooses, creator != assigned.seller_id),
    };
    if (chooses_number || changes_seller) && !auction.may(Action::AssignItems) {
        return Err(VerbError::Forbidden);
    }
    let leader = had.and_then(|had| had.highest_bid.as_ref()).map(|bid| bid.bidder.id);
    if changes_seller && leader == Some(assigned.seller_id) {
        return Err(AssignRefusal::LeadsItem.into());
    }
    // A bid below the highest one leads once that is withdrawn.
    if let Some(item_id) = but.filter(|_| changes_seller)
        && usage::has_standing_bid(conn, item_id, assigned.seller_id).await?
    {
        return Err(AssignRefusal::HasBids.into());
    }
    if chooses_number && store::number_is_taken(conn, auction_id, &assigned.lot_number, but).await? {
        return Err(AssignRefusal::NumberTaken.into());
    }
    Ok(assigned)
}
