//! A user's own bids as they are answered (SPEC, section 13).

use serde::Serialize;
use utoipa::ToSchema;

use super::Position;
use super::list::OwnBid;
use crate::bids::document::BidDocument;
use crate::items::document::ItemDocument;
use platform::db::DbError;
use platform::paging::Paged;
use platform::time::Moment;

/// An item that you have bid on.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = UserBid)]
pub struct OwnBidDocument {
    pub item: ItemDocument,
    /// Your newest standing bid on it.
    pub bid: BidDocument,
    pub position: Position,
}

/// A page of your bids.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = UserBids)]
pub struct OwnBidsDocument {
    pub bids: Vec<OwnBidDocument>,
    pub next_cursor: Option<String>,
}

impl OwnBidsDocument {
    pub fn of(page: Paged<OwnBid>, now: Moment) -> Result<Self, DbError> {
        let document = |own: OwnBid| -> Result<_, DbError> {
            let people = own.seen.item.people.clone();
            let bid = BidDocument::of_placed(own.bid, &people)?;
            let bid = bid.on_draw(own.seen.item.item.terms.format.draw());
            let item = ItemDocument::listed(own.seen.item, now)?;
            Ok(OwnBidDocument { item, bid, position: own.position })
        };
        let page = page.try_map(document)?.within_bytes();
        Ok(Self { bids: page.entries, next_cursor: page.next_cursor })
    }
}
