//! An item as the viewer of its pages sees it.

use std::sync::Arc;

use auction_house::auctions::access::{AccessError, AuctionView};
use auction_house::bids::pricing::PricingRules;
use auction_house::ids::UserId;
use auction_house::items::access::ItemView;
use auction_house::path::ItemPath;
use platform::db::Connection;
use platform::time::Moment;

use crate::state::AppState;

/// An item with its auction and the currencies and rules of its bids, and the connection that read them.
pub struct ViewedItem {
    pub db: Connection,
    pub auction: AuctionView,
    pub pricing: Arc<PricingRules>,
    pub seen: ItemView,
}

impl ViewedItem {
    pub async fn read(
        state: &AppState,
        path: ItemPath,
        viewer: UserId,
        now: Moment,
    ) -> Result<Self, AccessError> {
        let mut db = state.context.db.read().await?;
        let cache = &state.pages;
        let (auction, item, watched) =
            cache.item(&mut db, path.auction_id, path.item_id, viewer, now).await?;
        let pricing = cache.pricing(&mut db, &auction.auction, now).await?;
        let seen = ItemView::authorize(item, &auction, watched)?.with_sealed_bids(&mut db).await?;
        Ok(Self { db, auction, pricing, seen })
    }
}
