//! The results of an auction: its closed items with their outcomes in force.

use std::collections::HashMap;

use iso_currency::Currency as IsoCurrency;

use super::{Outcome, ResultKind, SoldBid};
use crate::access::Action;
use crate::auctions::access::AuctionView;
use crate::ids::{AuctionId, ItemId, UserId};
use crate::items::store::outcomes as store;
use platform::db::{Connection, DbError};

/// All results of an auction, for every viewer.
#[derive(Debug)]
pub struct AuctionResults {
    /// By lot number and copy.
    pub items: Vec<ItemResult>,
    /// Published items without an outcome.
    pub open_count: usize,
}

/// What counts of a copy of a closed item with its outcome in force. An auction has thousands of them.
#[derive(Debug, Clone)]
pub struct ItemResult {
    pub item_id: ItemId,
    pub copy: i64,
    pub is_published: bool,
    pub creator_id: UserId,
    pub seller_id: UserId,
    /// The currency of its price in a legacy auction.
    pub iso_currency: Option<IsoCurrency>,
    pub kind: ResultKind,
    pub is_paid: bool,
    pub is_collected: bool,
    /// The bid that the item was sold for.
    pub sold: Option<SoldBid>,
}

/// A copy of a closed item as a row of a list, with its whole outcome.
#[derive(Debug, Clone)]
pub struct ListedResult {
    pub item_id: ItemId,
    pub lot_number: String,
    pub name: String,
    pub iso_currency: Option<IsoCurrency>,
    /// How many copies the item has.
    pub copies: i64,
    /// Its copies are prizes, which have no price.
    pub is_draw: bool,
    pub outcome: Outcome,
}

impl ItemResult {
    /// Whether the viewer of the auction may see the item.
    pub fn is_visible(&self, auction: &AuctionView) -> bool {
        self.is_published || self.creator_id == auction.viewer || auction.may(Action::ManageItems)
    }
}

pub async fn read(conn: &mut Connection, auction_id: AuctionId) -> Result<AuctionResults, DbError> {
    let items = store::results::results(conn, auction_id).await?;
    let open_count = store::count_open(conn, auction_id).await?;
    Ok(AuctionResults { items, open_count: usize::try_from(open_count).unwrap_or(0) })
}

/// The rows of some of these copies.
pub async fn list(
    conn: &mut Connection,
    copies: impl IntoIterator<Item = (ItemId, i64)>,
) -> Result<HashMap<(ItemId, i64), ListedResult>, DbError> {
    let found = store::results::in_force(conn, copies).await?;
    Ok(found.into_iter().map(|result| ((result.item_id, result.outcome.copy), result)).collect())
}
