//! `/auctions/{auction_id}`: an auction with a page of its items, and the button to join it.

use app::model::{AuctionPage, CatalogueQuery, CurrencySummary, Listing};
use app::pages::auctions::show::auction_page;
use axum::response::Response;

use super::facts::{item_summary, summary};
use crate::pages::books::facts::page_funds;
use crate::pages::error::Loaded;
use crate::pages::form_route::FormRequest;
use crate::pages::members::link_url;
use crate::pages::money::{base_unit, default_first, values};
use crate::pages::request::{PageAt, PageRequest};
use auction_house::access::Action;
use auction_house::auctions::access::authorize;
use auction_house::books::funds;
use auction_house::currencies::{self, Currency};
use auction_house::events;
use auction_house::items::list::{ItemQuery, Place, list_items};
use auction_house::members;
use auction_house::path::AuctionPath;
use platform::fields::Object;
use platform::http::problem::Problem;
use platform::paging::Page;

/// `GET /auctions/{auction_id}`
pub async fn show(PageAt(path): PageAt<AuctionPath>, request: PageRequest) -> Response {
    let query = catalogue_query(&request);
    let page = read(&request, path, &query).await;
    request.render(page, |page| auction_page(page, query))
}

/// The items that the address asks for.
fn catalogue_query(request: &PageRequest) -> CatalogueQuery {
    let given = |name: &str| request.query(name).map(str::to_owned);
    CatalogueQuery {
        sort: given("sort").unwrap_or_default(),
        text: given("q"),
        status: given("status"),
        watched: request.query("watched") == Some("true"),
        grid: request.query("view") == Some("grid"),
        cursor: request.cursor(),
    }
}

async fn read(
    request: &PageRequest,
    path: Loaded<AuctionPath>,
    query: &CatalogueQuery,
) -> Loaded<AuctionPage> {
    let (AuctionPath { auction_id }, user, now) = (path?, request.user_id()?, request.now);
    let mut db = request.db().await?;
    let seen = authorize(&mut db, auction_id, user, now).await?;
    let position = events::store::last_position(&mut db, auction_id).await?;
    let items = list_items(&mut db, &seen, item_query(query), now).await?;
    let currencies = currencies::store::of_auction(&mut db, auction_id).await?;
    let own = match (seen.auction.terms.book_id, seen.role) {
        (Some(book_id), Some(_)) => Some(funds::of(&mut db, book_id, seen.viewer).await?),
        _ => None,
    };
    let style = request.money_style();
    let unit = seen.auction.terms.base_unit.clone();
    let entries = items.entries.into_iter().map(|item| item_summary(item, (unit.as_ref(), &[]), style, now));
    Ok(AuctionPage {
        description: request.state.pages.rendered(seen.auction.terms.description.clone()),
        items: Listing { entries: entries.collect::<Loaded<_>>()?, next_cursor: items.next_cursor },
        base_unit: base_unit(unit.as_ref()),
        funds: page_funds(&seen, &currencies, own.as_ref()),
        bid_currencies: default_first(&currencies),
        currencies: currencies.into_iter().map(currency_summary).collect(),
        can_sell: seen.may(Action::AddItems) && !seen.auction.has_ended(now),
        can_change: seen.may(Action::ChangeAuction),
        can_watch: seen.may(Action::WatchItems),
        position,
        join_link: link_url(&seen, request.site()),
        auction: summary(seen, now)?,
    })
}

/// The items that a catalogue shows. What the address says wrongly is ignored.
fn item_query(query: &CatalogueQuery) -> ItemQuery {
    let mut wanted = ItemQuery::first();
    wanted.sort = query.sort.parse().unwrap_or_default();
    wanted.filter.text = query.text.as_ref().and_then(|text| text.parse().ok());
    wanted.filter.status = query.status.as_ref().and_then(|status| status.parse().ok());
    wanted.filter.watched = query.watched;
    let after = query.cursor.as_deref().and_then(|cursor| cursor.parse().ok());
    wanted.page = Page::after(after.filter(|after: &Place| after.sort == wanted.sort));
    wanted
}

fn currency_summary(currency: Currency) -> CurrencySummary {
    CurrencySummary { values: values(&currency), name: currency.name, symbol: currency.symbol }
}

/// `POST /auctions/{auction_id}/join`, a button on the auction's page.
pub async fn join(request: FormRequest<AuctionPath>) -> Result<String, Problem> {
    let FormRequest { state, user, path: AuctionPath { auction_id }, .. } = request;
    members::join::join(&state.context, auction_id, user, Object::default()).await?;
    Ok(format!("/auctions/{auction_id}"))
}
