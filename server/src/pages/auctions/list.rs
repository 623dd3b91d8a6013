//! `/auctions`: the auctions of the viewer, and those that anyone may join.

use app::model::{AuctionEntry, AuctionList, AuctionStatus, Listing};
use app::pages::auctions::list::auctions_page;
use axum::response::Response;

use super::facts::summary;
use crate::pages::error::Loaded;
use crate::pages::request::PageRequest;
use auction_house::auctions::list::{Scope, list_auctions};
use auction_house::ids::{AuctionId, UserId};
use auction_house::usage;
use platform::db::Connection;
use platform::paging::Page;
use platform::time::Moment;

/// Auctions among which those that are open are looked for.
const OPEN_MAX: usize = 20;

/// `GET /auctions`: both lists, or one page of the list that the query names.
pub async fn show(request: PageRequest) -> Response {
    let named = request.query("list");
    let named = AuctionList::ALL.into_iter().find(|list| Some(list.as_query()) == named);
    let lists = read(&request, named).await;
    let cursor = request.cursor().filter(|_| named.is_some());
    request.render(lists, |lists| auctions_page(lists, cursor))
}

async fn read(
    request: &PageRequest,
    named: Option<AuctionList>,
) -> Loaded<Vec<(AuctionList, Listing<AuctionEntry>)>> {
    let Some(list) = named else {
        let mut lists = Vec::new();
        for list in AuctionList::ALL {
            lists.push((list, read_list(request, list, Page::after(None)).await?));
        }
        return Ok(lists);
    };
    Ok(vec![(list, read_list(request, list, request.page()).await?)])
}

async fn read_list(
    request: &PageRequest,
    list: AuctionList,
    page: Page<AuctionId>,
) -> Loaded<Listing<AuctionEntry>> {
    let (user, now) = (request.user_id()?, request.now);
    let scope = match list {
        AuctionList::Mine => Scope::Member,
        AuctionList::Joinable => Scope::Joinable,
    };
    entries(&mut request.db().await?, user, scope, page, now).await
}

/// The viewer's auctions that are open, of the newest.
pub(in crate::pages) async fn open_auctions(
    db: &mut Connection,
    viewer: UserId,
    now: Moment,
) -> Loaded<Vec<AuctionEntry>> {
    let newest = Page { limit: OPEN_MAX, after: None };
    let mut found = entries(db, viewer, Scope::Member, newest, now).await?.entries;
    found.retain(|entry| entry.auction.status == AuctionStatus::Open);
    Ok(found)
}

async fn entries(
    db: &mut Connection,
    viewer: UserId,
    scope: Scope,
    page: Page<AuctionId>,
    now: Moment,
) -> Loaded<Listing<AuctionEntry>> {
    let found = list_auctions(db, viewer, scope, now, page).await?;
    let ids: Vec<AuctionId> = found.entries.iter().map(|seen| seen.auction.id).collect();
    let next_ends = usage::next_ends(db, &ids, now).await?;
    let entries = found.entries.into_iter().map(|seen| {
        let next_end = next_ends.get(&seen.auction.id).map(|end| end.millis());
        Ok(AuctionEntry { auction: summary(seen, now)?, next_end })
    });
    Ok(Listing { entries: entries.collect::<Loaded<_>>()?, next_cursor: found.next_cursor })
}
