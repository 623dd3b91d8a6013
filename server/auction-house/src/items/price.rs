//! Price terms: those of a legacy auction, in an ISO 4217 currency, and those of one with currency profiles.

use crate::engine::{canonical, decimal, field_errors};
use iso_currency::Currency as IsoCurrency;
use rules_engine::bounds::{MAX_AMOUNT, MAX_INCREMENT};
use rules_engine::money::{Fixed, FractionPolicy, Increment, Literal, Normalized};
use rules_engine::{BidForm, EnteredCount, InputMode, ItemTerms, ProfileDefinition, RuleSet, Violation};

use super::{LegacyPrice, MinimumBid, Price};
use crate::currencies::Currency;
use platform::fields::Fields;

/// The digits that a decimal of a request may have at all.
type Written = Fixed<9>;

/// Reads the terms of the auction's kind, and keeps those of the other.
pub fn read_price(
    fields: &mut Fields,
    currencies: &[Currency],
    kept: Price,
    violations: &mut Vec<Violation>,
) -> Price {
    if currencies.is_empty() {
        for name in ["minBidConstraint", "minIncrementNormalized"] {
            fields.refuse(name, "must be absent: the auction has no currency profiles");
        }
        return Price { legacy: read_legacy(fields), ..kept };
    }
    for name in ["currencyCode", "startingBid", "minBidIncrement"] {
        fields.refuse(name, "must be absent: the auction has currency profiles");
    }
    let increment = decimal(fields, "minIncrementNormalized", Increment::ZERO, MAX_INCREMENT);
    Price {
        minimum: read_minimum(fields, currencies, violations),
        min_increment: increment.and_then(rescale),
        legacy: kept.legacy,
    }
}

fn read_legacy(fields: &mut Fields) -> Option<LegacyPrice> {
    let code: Option<String> = fields.required("currencyCode");
    let currency = code.as_deref().and_then(IsoCurrency::from_code);
    if code.is_some() && currency.is_none() {
        fields.fault("currencyCode", "must be an ISO 4217 code such as EUR");
    }
    // As long as the currency is not known, its digits can't be wrong.
    let digits = currency.map_or(Written::SCALE, minor_digits);
    let starting_bid = read_amount(fields, "startingBid", digits);
    let min_bid_increment = read_amount(fields, "minBidIncrement", digits);
    currency.map(|currency| LegacyPrice { currency, starting_bid, min_bid_increment })
}

/// How many fraction digits the currency's amounts have. A few, gold among them, have no minor unit.
pub fn minor_digits(currency: IsoCurrency) -> u32 {
    currency.exponent().map_or(0, u32::from)
}

/// The currency of a legacy item as a profile. Its base unit is the currency itself, so a normalized amount is the
/// amount.
pub fn legacy_profile(price: &LegacyPrice) -> ProfileDefinition {
    ProfileDefinition {
        id: price.currency.code().to_owned(),
        input_mode: InputMode::Scalar,
        rate_to_base: Literal::from("1"),
        precision: u8::try_from(minor_digits(price.currency)).unwrap_or(0),
        fraction_policy: FractionPolicy::Reject,
        denominations: Vec::new(),
    }
}

/// A legacy price in base units.
pub fn legacy_terms(price: &LegacyPrice) -> ItemTerms {
    ItemTerms { min_bid_normalized: price.starting_bid, min_increment_normalized: price.min_bid_increment }
}

fn read_amount(fields: &mut Fields, name: &str, digits: u32) -> Option<Normalized> {
    let literal: Literal = fields.optional(name)?;
    let max = rescale(MAX_AMOUNT)?;
    let amount = Written::try_from(&literal).ok().and_then(rescale::<_, { Normalized::SCALE }>);
    let coarse = 10_i128.pow(Normalized::SCALE.saturating_sub(digits));
    let fits =
        |amount: &Normalized| *amount > Normalized::ZERO && *amount <= max && amount.mantissa() % coarse == 0;
    let amount = amount.filter(fits);
    if amount.is_none() {
        let message =
            format!("must be a decimal above 0 and at most {max}, with at most {digits} fraction digits");
        fields.fault(name, message);
    }
    amount
}

/// The same number with more fraction digits.
fn rescale<const FROM: u32, const TO: u32>(number: Fixed<FROM>) -> Option<Fixed<TO>> {
    let unit = 10_i128.pow(TO.checked_sub(FROM)?);
    number.mantissa().checked_mul(unit).and_then(Fixed::from_mantissa)
}

/// What the first bid must reach. It is entered as a bid is, and must pass a bid's input phase.
fn read_minimum(
    fields: &mut Fields,
    currencies: &[Currency],
    violations: &mut Vec<Violation>,
) -> Option<MinimumBid> {
    const NAME: &str = "minBidConstraint";
    let (profile_id, entered) = fields.object(NAME, |constraint| {
        let profile_id: Option<String> = constraint.required("currencyProfileId");
        let amount: Option<Literal> = constraint.optional("amount");
        let entered_representation: Option<Vec<EnteredCount>> = constraint.optional("enteredRepresentation");
        let form = BidForm { amount, entered_representation };
        constraint.add(field_errors(form.check().err().unwrap_or_default()));
        (profile_id, form)
    })?;
    if !fields.is_clean_at(NAME) {
        return None;
    }
    let currency = currencies.iter().find(|currency| Some(&currency.definition.id) == profile_id.as_ref());
    let Some(currency) = currency else {
        fields.fault(format!("{NAME}.currencyProfileId"), "must be a currency profile of this auction");
        return None;
    };
    match normalize(currency, &entered) {
        Ok(normalized) => {
            Some(MinimumBid { currency_id: currency.id, entered: canonical_form(entered), normalized })
        }
        Err(broken) => {
            let first =
                broken.first().map_or("must be a bid in this currency", |violation| &violation.message);
            fields.fault(NAME, first);
            *violations = broken;
            None
        }
    }
}

fn normalize(currency: &Currency, entered: &BidForm) -> Result<Normalized, Vec<Violation>> {
    // INVARIANT: a stored profile keeps the bounds.
    let rules = RuleSet::compile(&currency.definition, &[], &ItemTerms::default());
    let rules = rules.map_err(|_| Vec::new())?;
    rules.normalize(entered).map(|(_, normalized)| normalized)
}

/// What was entered, in the form in which decimals are answered.
fn canonical_form(entered: BidForm) -> BidForm {
    let count = |entry: EnteredCount| EnteredCount {
        count: canonical(&entry.count),
        denomination: entry.denomination,
    };
    BidForm {
        amount: entered.amount.as_ref().map(canonical),
        entered_representation: entered
            .entered_representation
            .map(|entries| entries.into_iter().map(count).collect()),
    }
}
