//! `/auctions/{auction_id}/clerk/order`: the lots that are still to come, in order. A lot is chosen, and
//! buttons move it; with JavaScript it is also dragged, or moved by keys (`app/src/order.js`).

use leptos::either::Either;
use leptos::prelude::*;

use crate::assets::BuiltFile;
use crate::components::auction_tabs::{AuctionTab, AuctionTabs};
use crate::components::error_summary::ErrorSummary;
use crate::components::field::Field;
use crate::components::name::Name;
use crate::components::page_title::PageTitle;
use crate::components::pagination::Pagination;
use crate::components::words::count;
use crate::html::{Html, html};
use crate::model::{OrderLot, OrderPage};
use crate::scripts::LoadScript;

/// Parameter of the address with the lot that was moved last.
pub const PICKED: &str = "lot";
/// Field of the form with the lot to be moved.
pub const LOT: &str = "lot";
/// Field of the form with what becomes of it.
pub const CALL: &str = "call";

const FIELD: Field = Field::new(LOT, "Lot", "Choose a lot of this list.");

pub fn order_page(page: OrderPage) -> Html {
    let OrderPage {
        auction_id,
        auction_name,
        access,
        lots,
        held,
        picked,
        cursor,
        next_cursor,
        beyond,
        stream,
    } = page;
    let auction = format!("/auctions/{auction_id}");
    let path = format!("{auction}/clerk/order");
    let shown = count(u64::try_from(lots.len()).unwrap_or(0), "lot", "lots");
    let is_part = cursor.is_some() || next_cursor.is_some();
    let shown = if is_part { format!("{shown} on this page") } else { format!("{shown} to come") };
    let none = lots.is_empty();
    let rows = lots.into_iter().map(|lot| {
        let is_picked = picked.as_deref() == Some(lot.item_id.as_str());
        view! { <Lot lot is_picked /> }
    });
    let rows = rows.collect_view();
    html(view! {
        <PageTitle text="Running order" />
        <header class="page-head">
            <div>
                <p class="eyebrow">
                    <a href=auction.clone()><Name text=auction_name /></a>
                </p>
                <h1>"Running order"</h1>
            </div>
        </header>
        <AuctionTabs auction=auction.clone() current=AuctionTab::Clerk access />
        <form
            class="order"
            method="post"
            novalidate
            data-order=format!("/api/auctions/{auction_id}/running-order")
            data-stream=stream
        >
            <ErrorSummary fields=&[&[FIELD]] />
            <p class="hint">
                "The lots are called in this order. Choose one and move it. "
                <span class="order-drag">
                    "You can also drag it"
                    <span class="order-keys">", or hold Alt and press the arrow keys, Home or End"</span>
                    "."
                </span>
            </p>
            <div class="order-tools" role="group" aria-label="Move the chosen lot">
                {TOOLS
                    .map(|(call, label)| {
                        view! {
                            <button class="button" type="submit" name=CALL value=call>
                                {label}
                            </button>
                        }
                    })
                    .collect_view()}
            </div>
            <p class="order-said hint" role="status"></p>
            <h2 class="order-shown">{shown}</h2>
            <ol
                class="order-lots"
                id="field-lot"
                role="list"
                tabindex="-1"
                data-part=is_part.then_some("")
                data-beyond=beyond
            >
                {rows}
            </ol>
            {none.then(|| view! { <p class="hint">"No lot is to come."</p> })}
            <div class="order-held">
                <HeldLots held=held />
            </div>
        </form>
        <Pagination path cursor next=next_cursor />
        <p class="actions order-back">
            <a class="button" href=format!("{auction}/clerk")>
                "Back to the clerk’s page"
            </a>
        </p>
        <LoadScript script=BuiltFile::OrderScript />
    })
}

/// What becomes of the chosen lot. Enter presses the first one.
const TOOLS: [(&str, &str); 5] =
    [("UP", "Up"), ("DOWN", "Down"), ("FIRST", "First"), ("LAST", "Last"), ("HOLD", "Hold")];

#[component]
fn Lot(lot: OrderLot, is_picked: bool) -> impl IntoView {
    view! {
        <li class="order-lot">
            <label>
                <input type="radio" name=LOT value=lot.item_id checked=is_picked autofocus=is_picked />
                <span class="results-lot">{format!("Lot {}", lot.lot_number)}</span>
                " "
                <Name text=lot.name />
            </label>
            <span class="order-grip"></span>
        </li>
    }
}

/// The lots that are held, each with a button that has it come back. Empty without any.
#[component]
pub fn HeldLots(held: Vec<OrderLot>) -> impl IntoView {
    if held.is_empty() {
        return Either::Left(());
    }
    let rows = held.into_iter().map(|lot| {
        view! {
            <li>
                <span>
                    <span class="results-lot">{format!("Lot {}", lot.lot_number)}</span>
                    " "
                    <Name text=lot.name />
                </span>
                <button
                    id=format!("back-{}", lot.item_id)
                    class="button"
                    type="submit"
                    name=CALL
                    value=format!("BACK {}", lot.item_id)
                    aria-label=format!("Come back, lot {}", lot.lot_number)
                >
                    "Come back"
                </button>
            </li>
        }
    });
    Either::Right(view! {
        <h2>"Held"</h2>
        <ul class="held-lots" role="list">
            {rows.collect_view()}
        </ul>
    })
}
