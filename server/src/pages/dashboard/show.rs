//! `/dashboard`

use std::collections::{BTreeMap, HashSet};

use app::model::{DashboardPage, Section};
use app::pages::dashboard::show::dashboard_page;
use axum::response::Response;

use super::own_items::OwnItems;
use crate::pages::books::facts::list;
use crate::pages::error::Loaded;
use crate::pages::request::PageRequest;
use auction_house::ids::ItemId;
use auction_house::usage::{self, First, FirstBidOn, OwnItem};
use platform::paging::Page;

/// Items of each list of the dashboard.
const SHOWN_MAX: usize = 20;
/// Items that end within this time end soon.
const SOON_SECONDS: i64 = 24 * 60 * 60;

/// `GET /dashboard`
pub async fn show(request: PageRequest) -> Response {
    let page = read(&request).await;
    request.render(page, dashboard_page)
}

async fn read(request: &PageRequest) -> Loaded<DashboardPage> {
    let mut own = OwnItems::of(request).await?;
    let (viewer, now) = (own.viewer, own.now);
    let FirstBidOn { outbid, leading, won } =
        usage::first_bid_on(&mut own.conn, viewer, SHOWN_MAX, now).await?;
    let watched = usage::first_watched(&mut own.conn, viewer, SHOWN_MAX, now).await?;
    let sold = usage::first_sold(&mut own.conn, viewer, SHOWN_MAX, now).await?;

    let soon = now.plus_seconds(SOON_SECONDS);
    let followed = leading.items.iter().chain(&watched.items);
    let ending = followed.filter(|item| !item.has_ended && item.ends_at.is_some_and(|end| end <= soon));
    let ending: BTreeMap<_, OwnItem> = ending.map(|item| ((item.ends_at, item.item_id), *item)).collect();
    let ends_soon = First { items: ending.into_values().take(SHOWN_MAX).collect(), count: None };

    let lists = [&outbid, &leading, &won, &watched, &sold];
    let ids: HashSet<ItemId> =
        lists.into_iter().flat_map(|list| &list.items).map(|item| item.item_id).collect();
    let items = own.items(ids).await?;
    let books = Page { limit: SHOWN_MAX, after: None };
    let mut books = list(&mut own.conn, viewer, books).await?.entries;
    books.retain(|book| !book.is_closed);
    let section = |list: First| Section {
        items: list.items.iter().filter_map(|item| items.get(&item.item_id).cloned()).collect(),
        count: list.count,
    };
    Ok(DashboardPage {
        books,
        outbid: section(outbid),
        ends_soon: section(ends_soon),
        leading: section(leading),
        won: section(won),
        watched: section(watched),
        selling: section(sold),
    })
}
