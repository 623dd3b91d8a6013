//! `/auctions/{auction_id}/clerk/order`: the lots that are still to come, and forms that change their order.

use app::assets::BuiltFile;
use app::components::auction_tabs::{AuctionTab, AuctionTabs};
use app::components::error_summary::ErrorSummary;
use app::components::field::Field;
use app::components::name::Name;
use app::components::page_head::PageHead;
use app::components::page_title::PageTitle;
use app::components::pagination::Pagination;
use app::components::words::count;
use app::html::{Html, html};
use app::model::AuctionAccess;
use app::scripts::LoadScript;
use auction_house::access::Action;
use auction_house::auctions::access::authorize;
use auction_house::events::store::last_position;
use auction_house::ids::{AuctionId, ItemId, UserId};
use auction_house::items::running_order::CalledItem;
use auction_house::items::running_order::arrange::arrange_item;
use auction_house::items::running_order::list::{called_items, running_order};
use auction_house::path::AuctionPath;
use axum::response::Response;
use leptos::either::Either;
use leptos::prelude::*;
use platform::fields::Object;
use platform::http::problem::Problem;
use platform::paging::Page;

use crate::pages::auction_facts::access;
use crate::pages::error::Loaded;
use crate::pages::form::{Form, renamed};
use crate::pages::form_route::FormRequest;
use crate::pages::request::{PageAt, PageRequest};
use crate::state::AppState;

/// The lots of an auction that are still to be called, or a page of them.
#[derive(Debug, Clone, PartialEq, Eq)]
struct OrderPage {
    auction_id: String,
    auction_name: String,
    access: AuctionAccess,
    /// In the order in which they are called.
    lots: Vec<OrderLot>,
    /// Lots that are left out until they come back.
    held: Vec<OrderLot>,
    /// Id of the lot that was moved last.
    picked: Option<String>,
    cursor: Option<String>,
    next_cursor: Option<String>,
    /// Id of the first lot of the next page.
    beyond: Option<String>,
    /// Address of the stream of what happens from here on.
    stream: String,
}

/// A lot of the running order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OrderLot {
    pub item_id: String,
    pub lot_number: String,
    pub name: String,
}

/// Lots of a page.
const LOTS_MAX: usize = 500;
/// Bytes of the lots of a page, as far as their names decide: a page has at most 256 KiB.
const BYTES_MAX: usize = 200 * 1024;
/// Bytes of a lot besides its name.
const LOT_BYTES: usize = 250;

/// `GET /auctions/{auction_id}/clerk/order`
pub async fn show(PageAt(path): PageAt<AuctionPath>, request: PageRequest) -> Response {
    let page = read(&request, path).await;
    request.render(page, order_page)
}

async fn read(request: &PageRequest, path: Loaded<AuctionPath>) -> Loaded<OrderPage> {
    let (AuctionPath { auction_id }, user, now) = (path?, request.user_id()?, request.now);
    let mut db = request.db().await?;
    // The stream begins before the page is read.
    let position = last_position(&mut db, auction_id).await?;
    let auction = authorize(&mut db, auction_id, user, now).await?.require(Action::RunHall)?;
    let after = request.query("cursor").and_then(|cursor| cursor.parse().ok());
    // One more than are shown: the first of the next page.
    let page = Page { limit: LOTS_MAX + 1, after };
    let found = running_order(&mut db, auction_id, page, now).await?;
    let (mut lots, mut last_cursor, mut beyond, mut bytes) = (Vec::new(), None, None, 0);
    for (shown, (cursor, item)) in found.with_cursors().enumerate() {
        bytes += LOT_BYTES + shown_bytes(&item.name);
        if bytes > BYTES_MAX || shown == LOTS_MAX {
            beyond = Some(item.id.to_string());
            break;
        }
        last_cursor = Some(cursor);
        // The one on the block is called already.
        if Some(item.id) != auction.auction.block_item_id {
            lots.push(item);
        }
    }
    // A refused form keeps its lot.
    let refused = request.refused().and_then(|refused| refused.value(LOT));
    let (held, lots): (Vec<_>, Vec<_>) = lots.into_iter().partition(|item| item.is_held);
    Ok(OrderPage {
        auction_id: auction_id.to_string(),
        auction_name: auction.auction.terms.name.clone(),
        access: access(&auction),
        lots: lots.into_iter().map(lot).collect(),
        held: held.into_iter().map(lot).collect(),
        picked: refused.or_else(|| request.query(PICKED)).map(str::to_owned),
        cursor: request.cursor(),
        next_cursor: last_cursor.filter(|_| beyond.is_some()),
        beyond,
        stream: format!("/api/auctions/{auction_id}/events?after={position}"),
    })
}

fn lot(item: CalledItem) -> OrderLot {
    OrderLot { item_id: item.id.to_string(), lot_number: item.lot_number, name: item.name }
}

/// The length of a name in HTML, where `&` is five bytes.
fn shown_bytes(name: &str) -> usize {
    name.len() + 5 * name.matches(['&', '<', '>', '"', '\'']).count()
}

/// `POST /auctions/{auction_id}/clerk/order`, also from the page of the clerk.
pub async fn change(request: FormRequest<AuctionPath>) -> Result<String, Problem> {
    let FormRequest { state, user, path: AuctionPath { auction_id }, form } = request;
    // A button of one lot names it.
    let pressed = form.get(CALL).unwrap_or_default();
    let (call, lot) = pressed.split_once(' ').unwrap_or((pressed, form.text(LOT)));
    // An auction may have thousands of lots.
    let permit = state.reads.acquire(user.into()).await?;
    let (shared, called) = (state.clone(), (call.to_owned(), lot.to_owned()));
    let place = async move { place(&shared, auction_id, user, (&called.0, &called.1)).await };
    let place = state.context.work.run(place).await??;
    drop(permit);
    let arranged = match place {
        Some(place) => arrange_item(&state.context, auction_id, user, place).await,
        None => Ok(()),
    };
    arranged.map_err(|error| renamed(error, &[("itemId", LOT), ("before", LOT)]))?;
    let clerk = format!("/auctions/{auction_id}/clerk");
    Ok(if is_from_clerk(&form) { clerk } else { format!("{clerk}/order?{PICKED}={lot}") })
}

fn is_from_clerk(form: &Form) -> bool {
    form.get("from") == Some("clerk")
}

/// The body of the request that does what was called. None if the lot is there already.
async fn place(
    state: &AppState,
    auction_id: AuctionId,
    user: UserId,
    (call, lot): (&str, &str),
) -> Result<Option<Object>, Problem> {
    let now = state.context.clock.now();
    let conn = &mut state.context.db.read().await?;
    let seen = authorize(conn, auction_id, user, now).await?.require(Action::RunHall)?;
    let mut body = Object::default();
    body.set("itemId", &lot);
    match call {
        "HOLD" | "BACK" => body.set("held", &(call == "HOLD")),
        "LAST" => {}
        _ => {
            let called = called_items(conn, auction_id, seen.auction.block_item_id, now).await?;
            let Some(at) = called.iter().position(|id| id.to_string() == lot) else { return Ok(Some(body)) };
            let before = match call {
                "FIRST" => Some(0),
                "UP" => Some(at.saturating_sub(1)),
                // Behind the one that follows.
                _ => Some(at + 2),
            };
            let before: Option<ItemId> = before.and_then(|before| called.get(before)).copied();
            if before.is_some_and(|before| called.get(at) == Some(&before)) {
                return Ok(None);
            }
            body.set_given("before", before.as_ref());
        }
    }
    Ok(Some(body))
}

/// Parameter of the address with the lot that was moved last.
const PICKED: &str = "lot";
/// Field of the form with the lot to be moved.
pub const LOT: &str = "lot";
/// Field of the form with what becomes of it.
pub const CALL: &str = "call";

const FIELD: Field = Field::new(LOT, "Lot", "Choose a lot of this list.");

fn order_page(page: OrderPage) -> Html {
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
        <PageHead back=auction.clone() of=auction_name heading="Running order" />
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
