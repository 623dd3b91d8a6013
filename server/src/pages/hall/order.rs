//! `/auctions/{auction_id}/clerk/order`: the lots that are still to come, and forms that change their order.

use app::model::{OrderLot, OrderPage};
use app::pages::hall::order::{CALL, LOT, PICKED, order_page};
use axum::response::Response;

use crate::pages::auctions::facts::access;
use crate::pages::error::Loaded;
use crate::pages::form::{Form, renamed};
use crate::pages::form_route::FormRequest;
use crate::pages::request::{PageAt, PageRequest};
use crate::state::AppState;
use auction_house::access::Action;
use auction_house::auctions::access::authorize;
use auction_house::events::store::last_position;
use auction_house::ids::{AuctionId, ItemId, UserId};
use auction_house::items::running_order::CalledItem;
use auction_house::items::running_order::arrange::arrange_item;
use auction_house::items::running_order::list::{called_items, running_order};
use auction_house::path::AuctionPath;
use platform::fields::Object;
use platform::http::problem::Problem;
use platform::paging::Page;

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
