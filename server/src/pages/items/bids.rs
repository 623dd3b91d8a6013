//! `/auctions/{auction_id}/items/{item_id}/bids`: all bids on an item, page by page.

use app::model::{BidsPage, Listing};
use app::pages::items::bids::bids_page;
use axum::response::Response;

use super::bid_rows::row;
use super::draw_facts;
use super::facts::{bid_count, currency_names, public_item, unit, withdraws};
use super::viewed::ViewedItem;
use crate::pages::error::Loaded;
use crate::pages::request::{PageAt, PageRequest};
use auction_house::bids::list::{self, LIMIT_DEFAULT};
use auction_house::items::ItemStatus;
use auction_house::path::ItemPath;

/// `GET /auctions/{auction_id}/items/{item_id}/bids`
pub async fn show(PageAt(path): PageAt<ItemPath>, request: PageRequest) -> Response {
    let (page, cursor) = (read(&request, path).await, request.cursor());
    request.render(page, |page| bids_page(page, cursor))
}

async fn read(request: &PageRequest, path: Loaded<ItemPath>) -> Loaded<BidsPage> {
    let item = ViewedItem::read(&request.state, path?, request.reader(), request.now).await?;
    let public = public_item(request, &item.auction, &item.seen);
    let ViewedItem { mut db, auction, pricing, seen } = item;
    let range = list::BidRange { limit: LIMIT_DEFAULT, before: request.page().after };
    let listed = list::list(&mut db, &seen, request.now, range).await?;
    let base_unit = unit(&auction, &seen, &pricing, request.money_style());
    let names = currency_names(&seen, &pricing);
    let rows = listed.bids.iter();
    let next_cursor = listed.next_before.map(|before| before.to_string());
    let rows = rows.map(|listed| row(&seen, &names, &base_unit, &listed.bid, listed.known)).collect();
    let terms = seen.item.terms.format.draw();
    let tickets = terms.map(|terms| draw_facts::rows(&auction, &seen, terms, listed, request.now));
    Ok(BidsPage {
        auction_id: auction.auction.id.to_string(),
        item_id: seen.item.id.to_string(),
        base_unit,
        public,
        bid_count: bid_count(&seen),
        may_withdraw: withdraws(&auction) && seen.item.status(request.now) != ItemStatus::Closed,
        bids: Listing { entries: rows, next_cursor },
        tickets,
        item_name: seen.item.terms.name,
    })
}
