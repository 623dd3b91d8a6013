//! The results of an auction: its closed items with their outcomes in force.

use iso_currency::Currency as IsoCurrency;

use super::Outcome;
use crate::access::Action;
use crate::auctions::access::AuctionView;
use crate::ids::{AuctionId, ItemId, UserId};
use crate::items::store::outcomes as store;
use platform::db::{Connection, DbError};

/// All results of an auction, for every viewer.
#[derive(Debug)]
pub struct AuctionResults {
    /// By lot number.
    pub items: Vec<ItemResult>,
    /// Published items without an outcome.
    pub open_count: usize,
}

/// A closed item with its outcome in force.
#[derive(Debug, Clone)]
pub struct ItemResult {
    pub item_id: ItemId,
    pub lot_number: String,
    pub name: String,
    pub is_published: bool,
    pub creator_id: UserId,
    pub seller_id: UserId,
    /// The currency of its price in a legacy auction.
    pub iso_currency: Option<IsoCurrency>,
    pub outcome: Outcome,
}

impl ItemResult {
    /// Whether the viewer of the auction may see the item.
    pub fn is_visible(&self, auction: &AuctionView) -> bool {
        self.is_published || self.creator_id == auction.viewer || auction.may(Action::ManageItems)
    }
}

pub async fn read(conn: &mut Connection, auction_id: AuctionId) -> Result<AuctionResults, DbError> {
    let items = store::in_force(conn, auction_id).await?;
    let open_count = store::count_open(conn, auction_id).await?;
    Ok(AuctionResults { items, open_count: usize::try_from(open_count).unwrap_or(0) })
}
