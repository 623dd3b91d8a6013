//! The forms of auctions and their items.

use auction_house::engine::BidForm;

use super::bid::entered;
use super::form::{Form, FormBody, renamed, texts};
use super::posted::Posted;
use auction_house::auctions::create::create_auction;
use auction_house::items;
use auction_house::members;
use auction_house::path::AuctionPath;
use platform::fields::Object;
use platform::http::problem::Problem;

/// `POST /auctions/new`
pub async fn create(posted: Posted<()>) -> Result<String, Problem> {
    let Posted { state, user, form, .. } = posted;
    let mut object = texts(&form, &["name", "description", "joinMode"]);
    object.set("baseUnit", &base_unit(&form));
    let made = create_auction(&state.context, user, FormBody { object, form }).await;
    let made = made.map_err(|error| renamed(error.into(), BASE_UNIT_FIELDS))?;
    Ok(format!("/auctions/{}", made.resource.auction.id))
}

/// `POST /auctions/{auction_id}/join`, a button on the auction's page.
pub async fn join(posted: Posted<AuctionPath>) -> Result<String, Problem> {
    let Posted { state, user, path: AuctionPath { auction_id }, .. } = posted;
    members::join::join(&state.context, auction_id, user, Object::default()).await?;
    Ok(format!("/auctions/{auction_id}"))
}

/// `POST /auctions/{auction_id}/items/new`
pub async fn create_item(posted: Posted<AuctionPath>) -> Result<String, Problem> {
    let Posted { state, user, path: AuctionPath { auction_id }, form } = posted;
    let given =
        ["name", "description", "currencyCode", "startingBid", "minBidIncrement", "minIncrementNormalized"];
    let mut object = texts(&form, &given);
    if let Some(minimum) = minimum(&form) {
        object.set("minBidConstraint", &minimum);
    }
    // A box that is not checked is not sent.
    object.set("isPublished", &form.get("isPublished").is_some());
    if let Some(end) = form.get("endDate") {
        object.set("endDate", &in_utc(end));
    }
    let made =
        items::create::create_item(&state.context, auction_id, user, FormBody { object, form }).await?;
    Ok(format!("/auctions/{auction_id}/items/{}", made.resource.item.id))
}

/// What the members of a base unit are called in forms.
pub(super) const BASE_UNIT_FIELDS: &[(&str, &str)] =
    &[("baseUnit.name", "baseUnitName"), ("baseUnit.symbol", "baseUnitSymbol")];

/// The base unit that a form names; none where it is left empty.
pub(super) fn base_unit(form: &Form) -> Option<Object> {
    let mut unit = Object::default();
    for (field, member) in [("baseUnitName", "name"), ("baseUnitSymbol", "symbol")] {
        if let Some(text) = form.get(field) {
            unit.set(member, &text);
        }
    }
    (!unit.is_empty()).then_some(unit)
}

/// The minimum in a currency of the auction's own, as a bid is entered; none where nothing was typed.
fn minimum(form: &Form) -> Option<Object> {
    let entered = entered(form, "minBidConstraint.");
    let mut minimum = Object::default();
    if let Some(amount) = &entered.amount {
        minimum.set("amount", amount);
    }
    if let Some(counts) = &entered.entered_representation {
        minimum.set("enteredRepresentation", counts);
    }
    minimum.set("currencyProfileId", &form.get("minBidConstraint.currencyProfileId"));
    (entered != BidForm::default()).then_some(minimum)
}

/// What a browser's field for a moment sends, without an offset and often without seconds. The page says that
/// it is meant in UTC.
fn in_utc(text: &str) -> String {
    match text.len() {
        16 => format!("{text}:00Z"),
        19 => format!("{text}Z"),
        _ => text.to_owned(),
    }
}
