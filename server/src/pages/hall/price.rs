//! Prices and refusals on the page of a clerk.

use app::components::money::typed_bid;
use app::model::BidCurrency;
use auction_house::bids::pricing::PricingRules;
use auction_house::engine::{BidForm, EnteredCount, Literal};
use auction_house::items::LegacyPrice;
use platform::fields::FieldError;
use platform::http::problem::Problem;

use crate::codes;
use crate::pages::form::Form;
use crate::pages::money::{default_first, legacy_bid_currency};

/// The price that the form names, in the chosen currency. A text that is no price stays for the API to
/// refuse.
pub fn price(pricing: &PricingRules, legacy: Option<&LegacyPrice>, form: &Form) -> BidForm {
    let currencies = default_first(pricing.currencies());
    let chosen = form.get("currencyProfileId");
    let named = currencies.iter().find(|currency| currency.profile_id.as_deref() == chosen);
    let text = form.text("price").trim();
    if text.is_empty() {
        return BidForm::default();
    }
    match (legacy, named.filter(|_| chosen.is_some()).or(currencies.first())) {
        (Some(legacy), None) => entered(&legacy_bid_currency(legacy), text, form.has_comma()),
        (_, Some(currency)) => entered(currency, text, form.has_comma()),
        (None, None) => BidForm { amount: Some(Literal::from(text)), entered_representation: None },
    }
}

/// What a text means in a currency: `12`, `£1 2s`, or the counts of all pieces, `3.2.1`.
fn entered(currency: &BidCurrency, text: &str, has_comma: bool) -> BidForm {
    let pieces = &currency.denominations;
    if !currency.by_denomination() {
        let amount = typed_bid(currency, &[text.to_owned()], has_comma).concat();
        return BidForm { amount: Some(Literal::from(amount)), entered_representation: None };
    }
    let counts: Vec<&str> = text.split('.').map(str::trim).collect();
    let is_count = |count: &&str| !count.is_empty() && count.bytes().all(|byte| byte.is_ascii_digit());
    let numbers: Vec<String> = if counts.len() == pieces.len() && counts.iter().all(is_count) {
        counts.into_iter().map(str::to_owned).collect()
    } else {
        let written = pieces.iter().position(|piece| piece.written).unwrap_or(0);
        let of = |at| if at == written { text.to_owned() } else { String::new() };
        typed_bid(currency, &(0..pieces.len()).map(of).collect::<Vec<_>>(), has_comma)
    };
    let given = pieces.iter().zip(numbers).filter(|(_, number)| !number.is_empty());
    let count = |(piece, number): (&app::model::Denomination, String)| EnteredCount {
        denomination: piece.code.clone(),
        count: number.into(),
    };
    BidForm { amount: None, entered_representation: Some(given.map(count).collect()) }
}

/// The problem beside the field of the form that it is about.
pub fn problem_at_fields(mut problem: Problem) -> Problem {
    for field in &mut problem.fields {
        if field.path == "for" || field.path.starts_with("for.") {
            *field = FieldError::missing("number");
        } else if field.path == "amount" || field.path.starts_with("enteredRepresentation") {
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
