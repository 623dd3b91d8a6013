//! Prices and refusals on the page of a clerk.

use app::components::money::typed_price;
use app::model::BidCurrency;
use auction_house::bids::pricing::PricingRules;
use auction_house::engine::{BidForm, Violation};
use auction_house::items::LegacyPrice;
use platform::fields::{Fault, FieldError};
use platform::http::problem::Problem;

use crate::codes;
use crate::pages::form::Form;
use crate::pages::money::{default_first, legacy_bid_currency};

/// The price that the form names, in the chosen currency.
///
/// # Errors
/// A text without a clear meaning in the pieces of the currency.
pub fn price(
    pricing: &PricingRules,
    legacy: Option<&LegacyPrice>,
    form: &Form,
) -> Result<BidForm, FieldError> {
    let Some(currency) = currency(pricing, legacy, form) else { return Ok(BidForm::default()) };
    let unclear = |violation: Box<Violation>| FieldError::explained("price", violation.message);
    typed_price(&currency, form.text("price")).map_err(unclear)
}

/// The currency that the form names, or the first one.
pub fn currency(pricing: &PricingRules, legacy: Option<&LegacyPrice>, form: &Form) -> Option<BidCurrency> {
    let mut currencies = default_first(pricing.currencies());
    let named = form.get("currencyProfileId");
    let named = named.and_then(|id| currencies.iter().position(|it| it.profile_id.as_deref() == Some(id)));
    if currencies.is_empty() {
        return legacy.map(legacy_bid_currency);
    }
    Some(currencies.swap_remove(named.unwrap_or(0)))
}

/// The problem beside the field of the form that it is about.
pub fn problem_at_fields(mut problem: Problem) -> Problem {
    for field in &mut problem.fields {
        if field.path == "for" || field.path.starts_with("for.") {
            *field = match field.fault {
                Fault::Explained => FieldError::explained("number", &field.message),
                _ => FieldError::missing("number"),
            };
        } else if field.path == "amount"
            || field.path == "tickets"
            || field.path.starts_with("enteredRepresentation")
        {
            field.path = "price".to_owned();
        }
    }
    let field = match problem.code {
        codes::BID_REJECTED => "price",
        codes::OWN_ITEM => "number",
        codes::CLOSED | codes::ITEM_NOT_OPEN | codes::NO_STANDING_BID | codes::TOO_LATE => "lot",
        _ => return problem,
    };
    problem.fields = vec![FieldError::explained(field, &problem.detail)];
    problem
}
