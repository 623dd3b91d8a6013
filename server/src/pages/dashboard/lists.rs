//! The complete lists of the dashboard, page by page: `/dashboard/bids`, `/dashboard/items` and
//! `/dashboard/watched`.

use app::model::{self, Listing, OwnItem};
use app::pages::dashboard::lists::{own_bids_page, sold_items_page, watched_items_page};
use axum::response::Response;

use super::own_items::OwnItems;
use crate::pages::error::Loaded;
use crate::pages::request::PageRequest;
use crate::pages::wire::from_spelling;
use auction_house::bids::own::Position;
use auction_house::bids::own::list::list_own_bids;
use auction_house::items::own::list::{list_sold, list_watched};

/// `GET /dashboard/bids`: with the position that the query names or with any.
pub async fn bids(request: PageRequest) -> Response {
    let (read, cursor) = (read_bids(&request).await, request.cursor());
    request.render(read, |(position, found)| own_bids_page(position, found, cursor))
}

/// `GET /dashboard/items`
pub async fn sold(request: PageRequest) -> Response {
    let (found, cursor) = (read_sold(&request).await, request.cursor());
    request.render(found, |found| sold_items_page(found, cursor))
}

/// `GET /dashboard/watched`
pub async fn watched(request: PageRequest) -> Response {
    let (found, cursor) = (read_watched(&request).await, request.cursor());
    request.render(found, |found| watched_items_page(found, cursor))
}

async fn read_bids(request: &PageRequest) -> Loaded<(Option<model::Position>, Listing<OwnItem>)> {
    let mut items = OwnItems::of(request).await?;
    let position = request.query("status").and_then(Position::of_query);
    let found = list_own_bids(&mut items.conn, items.viewer, position, request.page(), request.now).await?;
    let listing = items.listing_of_bids(found).await?;
    let position = position.map(|position| from_spelling(position.as_str())).transpose()?;
    Ok((position, listing))
}

async fn read_sold(request: &PageRequest) -> Loaded<Listing<OwnItem>> {
    let mut items = OwnItems::of(request).await?;
    let found = list_sold(&mut items.conn, items.viewer, request.page(), request.now).await?;
    items.listing(found).await
}

async fn read_watched(request: &PageRequest) -> Loaded<Listing<OwnItem>> {
    let mut items = OwnItems::of(request).await?;
    let found = list_watched(&mut items.conn, items.viewer, request.page(), request.now).await?;
    items.listing(found).await
}
