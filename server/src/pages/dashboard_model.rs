//! The viewer's items in all auctions as page data.

use std::collections::{BTreeMap, HashMap, HashSet};

use app::model::{self, DashboardPage, Dues, Listing, OwnItem, OwnList, Section};
use app::services::Loaded;
use auction_house::auctions::access::AuctionView;
use auction_house::bids::own::Position;
use auction_house::bids::own::list::{OwnBid, list_own_bids, own_bids};
use auction_house::books::funds;
use auction_house::engine::Normalized;
use auction_house::ids::{BookId, ItemId, UserId};
use auction_house::items::access::ItemView;
use auction_house::items::own::list::{list_sold, list_watched};
use auction_house::items::own::views::{ItemInAuction, view_items};
use auction_house::usage::{self, ItemBidOn};
use platform::db::Connection;
use platform::paging::{Page, Paged};
use platform::time::Moment;

use super::auction_model::item_summary;
use super::book_model;
use super::cache::PageCache;
use super::item_model;
use super::money_style::MoneyStyle;
use super::services::unavailable;

/// Items of each list of the dashboard.
const SHOWN_MAX: usize = 20;
/// Items that are read to find those of a list.
const ROWS_MAX: usize = 2_000;
/// Items that end within this time end soon.
const SOON_SECONDS: i64 = 24 * 60 * 60;

/// What the pages of a viewer's items are made of.
pub struct OwnItems<'a> {
    pub conn: &'a mut Connection,
    pub cache: &'a PageCache,
    pub viewer: UserId,
    pub style: MoneyStyle,
    pub now: Moment,
    /// In the books that were read.
    pub available: HashMap<BookId, Normalized>,
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

impl OwnItems<'_> {
    pub async fn dashboard(mut self) -> Loaded<DashboardPage> {
        let (viewer, now) = (self.viewer, self.now);
        let rows = i64::try_from(ROWS_MAX).unwrap_or(i64::MAX);
        let bids = usage::items_bid_on(self.conn, viewer, None, rows, now).await.map_err(unavailable)?;
        let watched = usage::items_watched(self.conn, viewer, None, rows, now).await.map_err(unavailable)?;
        let sold = usage::items_sold(self.conn, viewer, None, rows, now).await.map_err(unavailable)?;

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
        let ending: BTreeMap<_, _> =
            ending.map(|item| ((item.ends_at, item.item_id), item.item_id)).collect();
        let ends_soon = Chosen::first(ending.into_iter().collect(), true);
        let (watched, selling) = (listed(&watched), listed(&sold));

        let all = [&outbid, &ends_soon, &leading, &won, &watched, &selling];
        let ids: HashSet<ItemId> = all.into_iter().flat_map(|chosen| chosen.ids.iter().copied()).collect();
        let items = self.items(ids, &bids).await?;
        let books = Page { limit: SHOWN_MAX, after: None };
        let mut books = book_model::list(self.conn, viewer, books).await?.entries;
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

    /// Items by their ids, with the viewer's bids.
    async fn items(&mut self, ids: HashSet<ItemId>, bids: &[ItemBidOn]) -> Loaded<HashMap<ItemId, OwnItem>> {
        let bids: Vec<ItemBidOn> =
            bids.iter().filter(|row| ids.contains(&row.item.item_id)).copied().collect();
        let own = own_bids(self.conn, self.viewer, &bids, self.now).await.map_err(unavailable)?;
        let others: Vec<ItemId> = ids.into_iter().filter(|id| !own.contains_key(id)).collect();
        let others = view_items(self.conn, self.viewer, &others, self.now).await.map_err(unavailable)?;
        let mut items = HashMap::new();
        for (id, own) in own {
            items.insert(id, self.with_bid(own).await?);
        }
        for (id, seen) in others {
            items.insert(id, self.without_bid(seen)?);
        }
        Ok(items)
    }

    /// A page of one list.
    pub async fn list(mut self, list: OwnList, page: Page<ItemId>) -> Loaded<Listing<OwnItem>> {
        let (viewer, now) = (self.viewer, self.now);
        match list {
            OwnList::Bids(position) => {
                let position = position.and_then(|position| Position::of_query(position.as_query()));
                let found = list_own_bids(self.conn, viewer, position, page, now).await;
                let found: Paged<OwnBid> = found.map_err(unavailable)?;
                let next_cursor = found.next_cursor.clone();
                let mut entries = Vec::new();
                for own in found.entries {
                    entries.push(self.with_bid(own).await?);
                }
                Ok(Listing { entries, next_cursor })
            }
            OwnList::Watched => {
                let found = list_watched(self.conn, viewer, page, now).await.map_err(unavailable)?;
                self.listing(found)
            }
            OwnList::Selling => {
                let found = list_sold(self.conn, viewer, page, now).await.map_err(unavailable)?;
                self.listing(found)
            }
        }
    }

    fn listing(&self, found: Paged<ItemInAuction>) -> Loaded<Listing<OwnItem>> {
        let next_cursor = found.next_cursor.clone();
        let entries = found.entries.into_iter().map(|seen| self.without_bid(seen));
        Ok(Listing { entries: entries.collect::<Loaded<_>>()?, next_cursor })
    }

    fn without_bid(&self, ItemInAuction { auction, item }: ItemInAuction) -> Loaded<OwnItem> {
        self.own_item(&auction, item, None)
    }

    async fn with_bid(&mut self, own: OwnBid) -> Loaded<OwnItem> {
        let OwnBid { seen: ItemInAuction { auction, item }, bid, position } = own;
        let pricing = self.cache.pricing(self.conn, &auction.auction, self.now).await.map_err(unavailable)?;
        let least = if position == Position::Outbid {
            // The viewer does not lead the item, so that all that is available is available for it.
            let available = match auction.auction.terms.book_id {
                Some(book_id) => Some(self.available(book_id).await?),
                None => None,
            };
            let preferred = bid.currency_profile_id;
            item_model::least_bid(&auction, &item, &pricing, preferred, available, self.style, self.now)
        } else {
            None
        };
        let sold = item.item.outcome.as_ref().filter(|_| position == Position::Won);
        let bid = model::OwnBid {
            position: match position {
                Position::Leading => model::Position::Leading,
                Position::Outbid => model::Position::Outbid,
                Position::Won => model::Position::Won,
                Position::Lost => model::Position::Lost,
            },
            entered: item_model::entered(&auction, &item, &pricing, &bid, self.style),
            least,
            dues: sold.map(|outcome| Dues {
                is_paid: outcome.paid_at.is_some(),
                is_collected: outcome.collected_at.is_some(),
            }),
        };
        self.own_item(&auction, item, Some(bid))
    }

    async fn available(&mut self, book_id: BookId) -> Loaded<Normalized> {
        if let Some(known) = self.available.get(&book_id) {
            return Ok(*known);
        }
        let funds = funds::of(self.conn, book_id, self.viewer).await.map_err(unavailable)?;
        self.available.insert(book_id, funds.available());
        Ok(funds.available())
    }

    fn own_item(&self, auction: &AuctionView, item: ItemView, bid: Option<model::OwnBid>) -> Loaded<OwnItem> {
        let terms = &auction.auction.terms;
        Ok(OwnItem {
            auction_id: auction.auction.id.to_string(),
            auction_name: terms.name.clone(),
            item: item_summary(item, terms.base_unit.as_ref(), self.style, self.now)?,
            bid,
        })
    }
}

/// Open items first, the next to end first and those without an end last; then the others, the last to end first.
fn end_order(item: usage::OwnItem) -> (bool, i64) {
    let end = item.ends_at.map(Moment::millis);
    if item.has_ended { (true, end.unwrap_or(0).saturating_neg()) } else { (false, end.unwrap_or(i64::MAX)) }
}
