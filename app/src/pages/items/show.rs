//! `/auctions/{auction_id}/items/{item_id}`

use leptos::prelude::*;

use crate::components::loaded::{loaded, path_part, query_part, services};
use crate::components::moment::{date_and_time, stamp};
use crate::components::page_title::PageTitle;
use crate::components::prose::Prose;
use crate::components::status_badge::ItemBadge;
use crate::model::{BidDesk, Bidding, ItemPage, ItemStatus, Refused};
use crate::pages::items::desk::{DeskState, ItemDesk};
use crate::pages::items::entry::Begin;

#[component]
pub fn ShowItem() -> impl IntoView {
    let services = services();
    let auction_id = path_part("auction_id");
    let item_id = path_part("item_id");
    let refused = use_context::<Refused>();
    let sent = refused.as_ref().and_then(|refused| refused.value("currencyProfileId").map(str::to_owned));
    let currency = sent.or_else(|| query_part("currency"));
    let begin = refused.map_or_else(Begin::default, begin_again);
    let load = async move { services.item(&auction_id, &item_id).await };
    loaded(load, move |mut item| {
        if let (Bidding::Open(desk), Some(currency)) = (&mut item.bidding, &currency) {
            begin_with(desk, currency);
        }
        view! { <Item item begin /> }
    })
}

#[component]
fn Item(item: ItemPage, begin: Begin) -> impl IntoView {
    let auction = format!("/auctions/{}", item.auction_id);
    // While it is open the panel says so better, and keeps saying it truly.
    let badge = (item.status != ItemStatus::Open).then(|| view! { <ItemBadge status=item.status /> });
    let starts = item.starts_at.filter(|_| item.status == ItemStatus::Scheduled).map(|starts_at| {
        view! {
            <span>
                "Starts " <time datetime=stamp(starts_at)>{date_and_time(starts_at)}</time>
            </span>
        }
    });
    let state = DeskState { board: item.board, bidding: item.bidding, begin, now: item.now };
    view! {
        <PageTitle text=item.name.clone() />
        <header class="page-head item-head">
            <div>
                <p class="eyebrow">
                    <a href=auction>{item.auction_name}</a>
                </p>
                <h1>{item.name}</h1>
                <p class="facts">{badge} {starts} <span>"Sold by " {item.seller}</span></p>
            </div>
        </header>
        <ItemDesk state>
            <Prose text=item.description />
        </ItemDesk>
    }
}

/// A bid that was refused stands in the form again. What it broke the form finds out for itself.
fn begin_again(refused: Refused) -> Begin {
    Begin { values: refused.values, refusal: Some(refused.message).filter(|message| !message.is_empty()) }
}

/// The form begins with the currency that was asked for by “Show”, or that the refused bid was in.
fn begin_with(desk: &mut BidDesk, currency: &str) {
    let asked = desk.currencies.iter().position(|choice| choice.profile_id.as_deref() == Some(currency));
    desk.selected = asked.unwrap_or(desk.selected);
}
