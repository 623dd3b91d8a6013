//! `/auctions/{auction_id}/items/{item_id}/bids`: all bids on an item, page by page.

use app::components::guest_notice::GuestNotice;
use app::components::page_description::PublicDescription;
use app::components::page_head::PageHead;
use app::components::page_title::PageTitle;
use app::components::pagination::Pagination;
use app::html::{Html, html};
use app::islands::items::board::{Row, count_of_bids, list_unit};
use app::model::{BaseUnit, BidRow, Listing, PublicPage};
use app::request::request;
use auction_house::bids::list::{self, LIMIT_DEFAULT};
use auction_house::items::ItemStatus;
use auction_house::path::ItemPath;
use axum::response::Response;
use leptos::either::Either;
use leptos::prelude::*;

use super::bid_rows::row;
use super::draw::{TicketRow, TicketRows};
use super::draw_facts;
use super::facts::{bid_count, currency_names, public_item, unit, withdraws};
use super::viewed::ViewedItem;
use crate::pages::error::Loaded;
use crate::pages::request::{PageAt, PageRequest};

/// One page of the bids on an item, newest first.
#[derive(Debug, Clone, PartialEq)]
struct BidsPage {
    auction_id: String,
    item_id: String,
    item_name: String,
    base_unit: BaseUnit,
    bid_count: u64,
    /// The viewer may withdraw the bids of others.
    may_withdraw: bool,
    /// Absent unless anyone may read the auction.
    public: Option<PublicPage>,
    bids: Listing<BidRow>,
    /// The same as tickets, of a draw.
    tickets: Option<Vec<TicketRow>>,
}

/// `GET /auctions/{auction_id}/items/{item_id}/bids`
pub async fn show(PageAt(path): PageAt<ItemPath>, request: PageRequest) -> Response {
    let (page, cursor) = (read(&request, path).await, request.cursor());
    request.render(page, |page| bids_page(page, cursor))
}

async fn read(request: &PageRequest, path: Loaded<ItemPath>) -> Loaded<BidsPage> {
    let item = ViewedItem::read(&request.state, path?, request.reader(), request.now).await?;
    let public = public_item(request, &item.auction, &item.seen);
    let ViewedItem { mut db, auction, pricing, seen } = item;
    let range = list::BidRange { limit: LIMIT_DEFAULT, before: request.page().after };
    let listed = list::list(&mut db, &seen, request.now, range).await?;
    let base_unit = unit(&auction, &seen, &pricing, request.money_style());
    let names = currency_names(&seen, &pricing);
    let rows = listed.bids.iter();
    let next_cursor = listed.next_before.map(|before| before.to_string());
    let rows = rows.map(|listed| row(&seen, &names, &base_unit, &listed.bid, listed.known)).collect();
    let terms = seen.item.terms.format.draw();
    let tickets = terms.map(|terms| draw_facts::rows(&auction, &seen, terms, listed, request.now));
    Ok(BidsPage {
        auction_id: auction.auction.id.to_string(),
        item_id: seen.item.id.to_string(),
        base_unit,
        public,
        bid_count: bid_count(&seen),
        may_withdraw: withdraws(&auction) && seen.item.status(request.now) != ItemStatus::Closed,
        bids: Listing { entries: rows, next_cursor },
        tickets,
        item_name: seen.item.terms.name,
    })
}

/// All bids, page by page.
fn bids_page(page: BidsPage, cursor: Option<String>) -> Html {
    let item = format!("/auctions/{}/items/{}", page.auction_id, page.item_id);
    let path = format!("{item}/bids");
    let now = Signal::stored(request().now);
    let unit = list_unit(page.base_unit);
    let none = page.bids.entries.is_empty();
    let rows = page.bids.entries.into_iter();
    let rows = rows.map(|bid| {
        let may_withdraw = page.may_withdraw && !bid.mine && bid.withdrawn.is_none();
        let withdraw = Signal::stored(may_withdraw.then(|| format!("{path}/{}/withdraw", bid.sequence)));
        view! { <Row bid fresh=false unit=unit.clone() now withdraw /> }
    });
    let rows = rows.collect_view();
    let heading = if page.tickets.is_some() { "Tickets".to_owned() } else { count_of_bids(page.bid_count) };
    html(view! {
        <PageTitle text=format!("Bids on {}", page.item_name) />
        <PublicDescription title=format!("Bids on {}", page.item_name) public=page.public.clone() />
        <PageHead back=item of=page.item_name heading />
        <GuestNotice public=page.public />
        {none.then(|| view! { <p class="bids-none">"There are no bids on this page."</p> })}
        {match page.tickets {
            Some(tickets) => Either::Left(view! { <TicketRows rows=tickets /> }),
            None => {
                Either::Right(
                    view! {
                        <ol class="bids-list apart" role="list" aria-label="Bids">
                            {rows}
                        </ol>
                    },
                )
            }
        }}
        <Pagination path cursor next=page.bids.next_cursor />
    })
}
