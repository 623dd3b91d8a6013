//! `/auctions`: the auctions of the viewer, and those that anyone may join.

use app::model::{AuctionEntry, AuctionList, Listing};
use app::pages::auctions::list::auctions_page;
use axum::response::Response;

use super::facts::summary;
use crate::pages::error::Loaded;
use crate::pages::request::PageRequest;
use auction_house::auctions::list::{Scope, list_auctions};
use auction_house::ids::AuctionId;
use auction_house::usage;
use platform::paging::Page;

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
    let mut db = request.db().await?;
    let scope = match list {
        AuctionList::Mine => Scope::Member,
        AuctionList::Joinable => Scope::Joinable,
    };
    let found = list_auctions(&mut db, user, scope, now, page).await?;
    let ids: Vec<AuctionId> = found.entries.iter().map(|seen| seen.auction.id).collect();
    let next_ends = usage::next_ends(&mut db, &ids, now).await?;
    let entries = found.entries.into_iter().map(|seen| {
        let next_end = next_ends.get(&seen.auction.id).map(|end| end.millis());
        Ok(AuctionEntry { auction: summary(seen, now)?, next_end })
    });
    Ok(Listing { entries: entries.collect::<Loaded<_>>()?, next_cursor: found.next_cursor })
}
