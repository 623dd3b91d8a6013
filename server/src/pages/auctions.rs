//! The forms of auctions and their items.

use std::sync::Arc;

use auction_house::engine::BidForm;

use super::bid::entered;
use super::form::{Form, renamed, texts};
use super::posted::Posted;
use auction_house::auctions::AntiSnipe;
use auction_house::auctions::create::create_auction;
use auction_house::members;
use auction_house::path::AuctionPath;
use platform::body::Body;
use platform::fields::{FieldError, Object};
use platform::http::problem::Problem;
use platform::idempotency::KeyedRequest;

/// `POST /auctions/new`
pub async fn create(posted: Posted<()>) -> Result<String, Problem> {
    let Posted { state, user, form, .. } = posted;
    let made = create_auction(&state.context, user, TermsForm(form)).await;
    let made = made.map_err(|error| renamed(error.into(), BASE_UNIT_FIELDS))?;
    Ok(format!("/auctions/{}", made.resource.auction.id))
}

/// The terms that a form gives an auction. The form has a field for each of them.
pub(super) struct TermsForm(pub Arc<Form>);

impl Body for TermsForm {
    fn read(self) -> Result<Object, Problem> {
        terms(&self.0)
    }

    fn keyed(&self) -> Result<Option<KeyedRequest>, Problem> {
        self.0.keyed()
    }
}

/// An empty field is null: it removes the member.
fn terms(form: &Form) -> Result<Object, Problem> {
    let mut object = texts(form, &["joinMode", "bidderVisibility", "itemEndMode"]);
    object.set("name", &form.text("name"));
    object.set("description", &form.get("description"));
    // Browsers do not send an unchecked box.
    for name in ["memberCanInvite", "defaultAntiSnipe"] {
        object.set(name, &form.get(name).is_some());
    }
    let mut errors = Vec::new();
    for (name, bounds) in [
        ("defaultAntiSnipeThreshold", AntiSnipe::THRESHOLD),
        ("defaultAntiSnipeExtension", AntiSnipe::EXTENSION),
    ] {
        let seconds = form.get(name).map(|text| text.trim().parse().ok().filter(|it| bounds.contains(it)));
        match seconds {
            Some(None) => {
                let (least, most) = bounds.into_inner();
                errors.push(FieldError::explained(
                    name,
                    format!("Enter whole seconds from {least} to {most}."),
                ));
            }
            given => object.set(name, &given.flatten()),
        }
    }
    match form.moment("endDate") {
        Ok(end) => object.set("endDate", &end),
        Err(error) => errors.push(error),
    }
    object.set("baseUnit", &base_unit(form));
    object.set("bookId", &form.get("bookId"));
    if errors.is_empty() { Ok(object) } else { Err(Problem::fields(errors)) }
}

/// `POST /auctions/{auction_id}/join`, a button on the auction's page.
pub async fn join(posted: Posted<AuctionPath>) -> Result<String, Problem> {
    let Posted { state, user, path: AuctionPath { auction_id }, .. } = posted;
    members::join::join(&state.context, auction_id, user, Object::default()).await?;
    Ok(format!("/auctions/{auction_id}"))
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
pub(super) fn minimum(form: &Form) -> Option<Object> {
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
