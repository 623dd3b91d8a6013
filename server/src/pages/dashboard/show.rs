//! `/dashboard`

use std::collections::{BTreeMap, HashSet};

use app::model::{self, DashboardPage, Owed, Section};
use app::pages::dashboard::show::dashboard_page;
use axum::response::Response;

use super::own_items::OwnItems;
use crate::pages::auctions::list::open_auctions;
use crate::pages::books::facts::list;
use crate::pages::error::Loaded;
use crate::pages::request::PageRequest;
use auction_house::engine::Normalized;
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
    let won = section(won);
    Ok(DashboardPage {
        auctions: open_auctions(&mut own.conn, viewer, now).await?,
        books,
        outbid: section(outbid),
        ends_soon: section(ends_soon),
        leading: section(leading),
        owed: owed(&won.items),
        won,
        watched: section(watched),
        selling: section(sold),
    })
}

/// The sums of what is not paid, one for each kind of money. What is to be paid comes first in the list.
fn owed(won: &[model::OwnItem]) -> Vec<Owed> {
    let mut sums: Vec<(Normalized, &model::BaseUnit)> = Vec::new();
    for item in won {
        let is_due = item.bid.as_ref().and_then(|bid| bid.dues).is_some_and(|dues| !dues.is_paid);
        let price = item.item.highest_bid.as_deref().filter(|_| is_due);
        let Some(price) = price.and_then(|price| price.parse::<Normalized>().ok()) else { continue };
        let unit = &item.item.base_unit;
        match sums.iter_mut().find(|(_, of)| *of == unit) {
            Some((sum, _)) => *sum = sum.checked_add(price).unwrap_or(*sum),
            None => sums.push((price, unit)),
        }
    }
    sums.into_iter().map(|(sum, unit)| Owed { amount: sum.to_string(), unit: unit.clone() }).collect()
}
