//! `/dashboard`

use std::collections::{BTreeMap, HashMap, HashSet};

use app::model::{DashboardPage, OwnItem, Section};
use app::pages::dashboard::show::dashboard_page;
use axum::response::Response;

use super::own_items::OwnItems;
use crate::pages::books::facts::list;
use crate::pages::error::Loaded;
use crate::pages::request::PageRequest;
use auction_house::bids::own::Position;
use auction_house::ids::ItemId;
use auction_house::usage;
use platform::paging::Page;
use platform::time::Moment;

/// Items of each list of the dashboard.
const SHOWN_MAX: usize = 20;
/// Items that are read to find those of a list.
const ROWS_MAX: usize = 2_000;
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
    let rows = i64::try_from(ROWS_MAX).unwrap_or(i64::MAX);
    let bids = usage::items_bid_on(&mut own.conn, viewer, None, rows, now).await?;
    let watched = usage::items_watched(&mut own.conn, viewer, None, rows, now).await?;
    let sold = usage::items_sold(&mut own.conn, viewer, None, rows, now).await?;

    let all_bids = bids.len() < ROWS_MAX;
    let with = |position| bids.iter().filter(move |row| Position::of(row) == position);
    let by_end = |position| {
        let found = with(position).map(|row| (end_order(row.item), row.item.item_id));
        Chosen::first(found.collect(), all_bids)
    };
    let (outbid, leading) = (by_end(Position::Outbid), by_end(Position::Leading));
    let won = with(Position::Won).map(|row| ((!row.is_due, end_order(row.item)), row.item.item_id));
    let won = Chosen::first(won.collect(), all_bids);
    let listed = |items: &[usage::OwnItem]| {
        let found = items.iter().map(|item| (end_order(*item), item.item_id));
        Chosen::first(found.collect(), items.len() < ROWS_MAX)
    };
    let soon = now.plus_seconds(SOON_SECONDS);
    let followed = with(Position::Leading).map(|row| &row.item).chain(&watched);
    let ending = followed.filter(|item| !item.has_ended && item.ends_at.is_some_and(|end| end <= soon));
    let ending: BTreeMap<_, _> = ending.map(|item| ((item.ends_at, item.item_id), item.item_id)).collect();
    let ends_soon = Chosen::first(ending.into_iter().collect(), true);
    let (watched, selling) = (listed(&watched), listed(&sold));

    let all = [&outbid, &ends_soon, &leading, &won, &watched, &selling];
    let ids: HashSet<ItemId> = all.into_iter().flat_map(|chosen| chosen.ids.iter().copied()).collect();
    let items = own.items(ids, &bids).await?;
    let books = Page { limit: SHOWN_MAX, after: None };
    let mut books = list(&mut own.conn, viewer, books).await?.entries;
    books.retain(|book| !book.is_closed);
    Ok(DashboardPage {
        books,
        outbid: outbid.section(&items),
        ends_soon: ends_soon.section(&items),
        leading: leading.section(&items),
        won: won.section(&items),
        watched: watched.section(&items),
        selling: selling.section(&items),
    })
}

/// The ids of the first items of a list.
#[derive(Default)]
struct Chosen {
    ids: Vec<ItemId>,
    count: Option<usize>,
}

impl Chosen {
    /// Chooses from all `found`, of which `is_complete` says whether they are all there are.
    fn first<K: Ord>(mut found: Vec<(K, ItemId)>, is_complete: bool) -> Self {
        let count = is_complete.then_some(found.len());
        found.sort_unstable();
        Self { ids: found.into_iter().take(SHOWN_MAX).map(|(_, id)| id).collect(), count }
    }

    fn section(self, items: &HashMap<ItemId, OwnItem>) -> Section {
        let items = self.ids.iter().filter_map(|id| items.get(id).cloned()).collect();
        Section { items, count: self.count }
    }
}

/// Open items first, the next to end first and those without an end last; then the others, the last to end
/// first.
fn end_order(item: usage::OwnItem) -> (bool, i64) {
    let end = item.ends_at.map(Moment::millis);
    if item.has_ended { (true, end.unwrap_or(0).saturating_neg()) } else { (false, end.unwrap_or(i64::MAX)) }
}
