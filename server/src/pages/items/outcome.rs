//! The forms that close an item and decide about its outcome.

use app::pages::auctions::results::list::ITEM;
use app::pages::items::outcome::CANCEL;

use crate::pages::auctions::results::{mark_seen, seen_outcome};
use crate::pages::form::{local, texts};
use crate::pages::form_route::FormRequest;
use auction_house::bids::closing::cancel_item::cancel_item;
use auction_house::bids::closing::end_item::end_item;
use auction_house::items::outcomes::decide::decide_outcome;
use auction_house::items::outcomes::mark::SeenOutcome;
use auction_house::path::ItemPath;
use platform::http::problem::Problem;
use platform::precondition::Precondition;

/// `POST /auctions/{auction_id}/items/{item_id}/close`
pub async fn end(request: FormRequest<ItemPath>) -> Result<String, Problem> {
    let FormRequest { state, user, path, .. } = request;
    end_item(&state.context, &state.bids, path, user, Precondition::None).await?;
    Ok(outcome(path))
}

/// `POST /auctions/{auction_id}/items/{item_id}/cancel`
pub async fn cancel(request: FormRequest<ItemPath>) -> Result<String, Problem> {
    let FormRequest { state, user, path, form } = request;
    let body = texts(&form, &["reason"]);
    cancel_item(&state.context, &state.bids, path, user, body, Precondition::None).await?;
    Ok(outcome(path))
}

/// `POST /auctions/{auction_id}/items/{item_id}/outcome`. Without a bid the item is sold to nobody; a draw
/// may be cancelled instead.
pub async fn decide(request: FormRequest<ItemPath>) -> Result<String, Problem> {
    let FormRequest { state, user, path, form } = request;
    let mut body = texts(&form, &["reason"]);
    if form.get("sequence") == Some(CANCEL) {
        cancel_item(&state.context, &state.bids, path, user, body, Precondition::None).await?;
        return Ok(outcome(path));
    }
    body.set("sequence", &None::<i64>);
    for name in ["copy", "sequence"] {
        match form.get(name).map(|text| text.parse::<i64>().map_err(|_| text)) {
            Some(Err(text)) => body.set(name, &text),
            Some(Ok(number)) => body.set(name, &number),
            None => {}
        }
    }
    decide_outcome(&state.context, path, user, body, &Precondition::None).await?;
    Ok(outcome(path))
}

/// `POST /auctions/{auction_id}/items/{item_id}/outcome/mark`. `back` is the page that the form is on.
pub async fn mark(request: FormRequest<ItemPath>) -> Result<String, Problem> {
    let FormRequest { state, user, path, form } = request;
    let ItemPath { auction_id, item_id } = path;
    let seen = form.get(ITEM).and_then(seen_outcome).filter(|seen| seen.item_id == item_id);
    // No outcome has this number.
    let none = SeenOutcome { item_id, copy: 1, number: 0, is_paid: false, is_collected: false };
    mark_seen(&state, auction_id, user, &[seen.unwrap_or(none)], &form).await?;
    Ok(local(form.get("back")).map_or_else(|| outcome(path), str::to_owned))
}

/// The outcome on the item's page.
fn outcome(ItemPath { auction_id, item_id }: ItemPath) -> String {
    format!("/auctions/{auction_id}/items/{item_id}#outcome")
}
