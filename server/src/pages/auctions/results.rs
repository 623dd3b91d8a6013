//! `/auctions/{auction_id}/results`: what an auction sold, to whom, and what is still to be paid and
//! collected.

use app::model::{ResultFilter, ResultList, ResultsPage, ResultsQuery};
use app::pages::auctions::results::results_page;
use axum::response::Response;

use super::results_facts::{add_charges, page};
use crate::pages::error::Loaded;
use crate::pages::public_page::public_page;
use crate::pages::request::{PageAt, PageRequest};
use auction_house::access::store::owner;
use auction_house::auctions::access::authorize;
use auction_house::path::AuctionPath;

/// `GET /auctions/{auction_id}/results`
pub async fn show(PageAt(path): PageAt<AuctionPath>, request: PageRequest) -> Response {
    let results = read(&request, path).await;
    request.render(results, results_page)
}

async fn read(request: &PageRequest, path: Loaded<AuctionPath>) -> Loaded<ResultsPage> {
    let (AuctionPath { auction_id }, now) = (path?, request.now);
    let query = ResultsQuery {
        by_winner: request.query("by") == Some("winner"),
        show: request.query("show").map(ResultFilter::named).unwrap_or_default(),
        cursor: request.cursor(),
    };
    let (mut db, cache) = (request.db().await?, &request.state.pages);
    let seen = authorize(&mut db, auction_id, request.reader(), now).await?;
    let pricing = cache.pricing(&mut db, &seen.auction, now).await?;
    let results = cache.results(&mut db, &seen.auction, now).await?;
    let mut page = page(&mut db, &seen, &pricing, &results, query, request.money_style()).await?;
    if let Some(book_id) = seen.auction.terms.book_id {
        add_charges(&mut db, book_id, &seen, &pricing, &mut page).await?;
    }
    let text = format!("What was sold in {}.", seen.auction.terms.name);
    page.public = public_page(request, &seen, text, None);
    if matches!(page.list, ResultList::Statements(_)) && !seen.is_outsider() {
        page.organizer = owner(&mut db, auction_id).await?.map(|owner| owner.name);
    }
    Ok(page)
}
