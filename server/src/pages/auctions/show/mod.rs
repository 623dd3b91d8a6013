//! `/auctions/{auction_id}`: an auction with a page of its items, and the button to join it.

pub(super) mod view;

use app::components::money::amount_in;
use app::model::{CatalogueQuery, ItemSummary, Listing, PictureFile};
use auction_house::access::Action;
use auction_house::auctions::Auction;
use auction_house::auctions::access::authorize;
use auction_house::books::funds;
use auction_house::books::runs::pot::pot_of_auction;
use auction_house::currencies::Currency;
use auction_house::engine::Normalized;
use auction_house::items::access::ItemView;
use auction_house::items::list::{ItemPlace, ItemQuery};
use auction_house::items::publish::publish_drafts;
use auction_house::items::store::draft_count;
use auction_house::path::AuctionPath;
use auction_house::{events, members};
use axum::response::Response;
use platform::fields::Object;
use platform::http::problem::Problem;
use platform::paging::Page;

use self::view::{AuctionPage, AuctionSummary, CurrencySummary, SHOWN, auction_page};
use super::facts::{goal, item_summary, summary, unit_of_totals};
use super::trend::points;
use crate::pages::auction_facts::{excerpt, group_of};
use crate::pages::books::facts::page_funds;
use crate::pages::error::Loaded;
use crate::pages::form_route::FormRequest;
use crate::pages::items::least_first_bid::least_first_bid;
use crate::pages::items::pictures::picture;
use crate::pages::members::link_url;
use crate::pages::money::{base_unit, default_first, unit_in_pieces, values};
use crate::pages::public_page::public_page;
use crate::pages::request::{PageAt, PageRequest};
use crate::pages::way_in::invite_instead;
use app::components::words::count;

/// `GET /auctions/{auction_id}`
pub async fn show(PageAt(path): PageAt<AuctionPath>, request: PageRequest) -> Response {
    let query = catalogue_query(&request);
    let auction_id = path.as_ref().ok().map(|path| path.auction_id);
    let page = read(&request, path, &query).await;
    if let Some(invite) = invite_instead(&request, auction_id, &page).await {
        return invite;
    }
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
    let (AuctionPath { auction_id }, now) = (path?, request.now);
    let mut db = request.db().await?;
    // The stream begins before the page is read.
    let position = events::store::last_position(&mut db, auction_id).await?;
    let seen = authorize(&mut db, auction_id, request.reader(), now).await?;
    let pages = &request.state.pages;
    let items = pages.listed_items(&mut db, &seen, &item_query(query), now).await?;
    let pricing = pages.pricing(&mut db, &seen.auction, now).await?;
    let currencies = pricing.currencies();
    let own = match (seen.auction.terms.book_id, seen.role) {
        (Some(book_id), Some(_)) => Some(funds::of(&mut db, book_id, seen.viewer).await?),
        _ => None,
    };
    let pot = match seen.auction.terms.book_id.filter(|_| seen.role.is_some()) {
        Some(book_id) => pot_of_auction(&mut db, book_id, auction_id).await?,
        None => None,
    };
    let style = request.money_style();
    let unit = seen.auction.terms.base_unit.clone();
    let open = items.entries.iter().map(|seen| &seen.item).filter(|item| item.closed_at.is_none());
    let trends = pages.trends(&mut db, open, now).await?;
    let public = public_page(request, &seen, about(&seen.auction), first_picture(&items.entries));
    let entries = items.entries.into_iter().map(|item| {
        let trend = trends.get(&item.item.id).map(|prices| points(prices)).unwrap_or_default();
        let least = least_first_bid(&item, &pricing);
        Ok(ItemSummary { trend, ..item_summary(item, least, (unit.as_ref(), &[]), style, now)? })
    });
    let totals = unit_of_totals(&seen.auction, currencies, style);
    let group = group_of(&mut db, &seen).await?;
    let drafts = match seen.may(Action::ManageItems) && !seen.auction.has_ended(now) {
        true => draft_count(&mut db, auction_id).await?,
        false => 0,
    };
    Ok(AuctionPage {
        goal: goal(&mut db, &request.state.pages, &seen.auction, totals, now).await?,
        description: request.state.pages.rendered(seen.auction.terms.description.clone()),
        items: Listing { entries: entries.collect::<Loaded<_>>()?, next_cursor: items.next_cursor },
        base_unit: base_unit(unit.as_ref()),
        pot: pot.filter(|pot| pot.amount != Normalized::ZERO).map(|pot| {
            let unit = unit_in_pieces(unit.as_ref(), currencies);
            amount_in(&pot.amount.to_string(), &unit)
        }),
        funds: page_funds(&seen, currencies, own.as_ref()),
        bid_currencies: default_first(currencies),
        currencies: currencies.iter().cloned().map(currency_summary).collect(),
        drafts,
        can_sell: seen.may(Action::AddItems) && !seen.auction.has_ended(now),
        can_change: seen.may(Action::ChangeAuction),
        can_watch: seen.may(Action::WatchItems),
        position,
        join_link: link_url(&seen, request.site()),
        group,
        public,
        auction: {
            let auction = summary(seen, now)?;
            // The keeper of the group makes a managed user a member.
            let may_join = request.user.as_ref().is_some_and(|user| !user.is_managed());
            AuctionSummary { joinable: auction.joinable && may_join, ..auction }
        },
    })
}

/// The auction in one line.
fn about(auction: &Auction) -> String {
    let line = excerpt(&auction.terms.description);
    let items = count(u64::try_from(auction.published_items).unwrap_or(0), "item", "items");
    if line.is_empty() { format!("An auction with {items}.") } else { line }
}

/// The first picture of the published items.
fn first_picture(items: &[ItemView]) -> Option<PictureFile> {
    let published = items.iter().map(|seen| &seen.item).filter(|item| item.terms.is_published);
    let mut pictures = published.filter_map(|item| Some((item, item.images.first()?)));
    pictures.next().map(|(item, image)| picture(item.auction_id, item.id, image).medium)
}

/// The items that a catalogue shows. What the address says wrongly is ignored.
fn item_query(query: &CatalogueQuery) -> ItemQuery {
    let mut wanted = ItemQuery::first();
    wanted.sort = query.sort.parse().unwrap_or_default();
    wanted.filter.text = query.text.as_ref().and_then(|text| text.parse().ok());
    wanted.filter.status = query.status.as_ref().and_then(|status| status.parse().ok());
    wanted.filter.watched = query.watched;
    let after = query.cursor.as_deref().and_then(|cursor| cursor.parse().ok());
    wanted.page = Page::after(after.filter(|after: &ItemPlace| after.sort == wanted.sort));
    wanted
}

fn currency_summary(currency: Currency) -> CurrencySummary {
    CurrencySummary { values: values(&currency), name: currency.name, symbol: currency.symbol }
}

/// `POST /auctions/{auction_id}/drafts/show`, a button on the auction's page and after an import.
pub async fn show_drafts(request: FormRequest<AuctionPath>) -> Result<String, Problem> {
    let FormRequest { state, user, path: AuctionPath { auction_id }, .. } = request;
    let shown = publish_drafts(&state.context, auction_id, user).await?;
    Ok(format!("/auctions/{auction_id}?{SHOWN}={shown}"))
}

/// `POST /auctions/{auction_id}/join`, a button on the auction's page.
pub async fn join(request: FormRequest<AuctionPath>) -> Result<String, Problem> {
    let FormRequest { state, user, path: AuctionPath { auction_id }, .. } = request;
    members::join::join(&state.context, auction_id, user, Object::default()).await?;
    Ok(format!("/auctions/{auction_id}"))
}
