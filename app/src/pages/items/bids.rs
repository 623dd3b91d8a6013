//! `/auctions/{auction_id}/items/{item_id}/bids`

use std::sync::Arc;

use leptos::either::Either;
use leptos::prelude::*;

use crate::components::guest_notice::GuestNotice;
use crate::components::name::Name;
use crate::components::page_description::PublicDescription;
use crate::components::page_title::PageTitle;
use crate::components::pagination::Pagination;
use crate::html::{Html, html};
use crate::model::BidsPage;
use crate::pages::items::board::{Row, count_of_bids};
use crate::pages::items::draw::TicketRows;
use crate::request::request;

/// All bids, page by page.
pub fn bids_page(page: BidsPage, cursor: Option<String>) -> Html {
    let item = format!("/auctions/{}/items/{}", page.auction_id, page.item_id);
    let path = format!("{item}/bids");
    let now = Signal::stored(request().now);
    let unit = Arc::new(page.base_unit);
    let none = page.bids.entries.is_empty();
    let rows = page.bids.entries.into_iter();
    let rows = rows.map(|bid| {
        let may_withdraw = page.may_withdraw && !bid.mine && bid.withdrawn.is_none();
        let withdraw = Signal::stored(may_withdraw.then(|| format!("{path}/{}/withdraw", bid.sequence)));
        view! { <Row bid fresh=false unit=Arc::clone(&unit) now withdraw /> }
    });
    let rows = rows.collect_view();
    html(view! {
        <PageTitle text=format!("Bids on {}", page.item_name) />
        <PublicDescription title=format!("Bids on {}", page.item_name) public=page.public.clone() />
        <header class="page-head">
            <div>
                <p class="eyebrow">
                    <a href=item><Name text=page.item_name /></a>
                </p>
                <h1>{if page.tickets.is_some() { "Tickets".to_owned() } else { count_of_bids(page.bid_count) }}</h1>
            </div>
        </header>
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
