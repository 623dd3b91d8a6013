//! Price terms: those of a legacy auction, in an ISO 4217 currency, and those of one with currency profiles.

use iso_currency::Currency as IsoCurrency;
use platform::fields::{FieldError, Fields};
use platform::shape::{Members, Shape};
use rules_engine::bounds::{MAX_AMOUNT, MAX_INCREMENT};
use rules_engine::money::{Fixed, FractionPolicy, Increment, Literal, Normalized};
use rules_engine::{BidForm, EnteredCount, InputMode, ItemTerms, ProfileDefinition, RuleSet, Violation};

use super::{EnteredPrice, LegacyPrice, Price};
use crate::currencies::Currency;
use crate::engine::{canonical, decimal, field_errors, no_decimal};
use crate::engine_schema::{entered_count, uuid};

/// A decimal with as many digits as a request may have.
type Written = Fixed<9>;

const MINIMUM: &str = "minBidConstraint";

/// Price terms as a request describes them: well formed, but not yet checked against the auction.
#[derive(Debug, Clone, Default)]
pub struct PriceBody {
    currency_code: Option<String>,
    starting_bid: Option<Literal>,
    min_bid_increment: Option<Literal>,
    minimum: Option<MinimumBody>,
    min_increment: Option<Literal>,
}

/// What the first bid must reach, entered as a bid is.
#[derive(Debug, Clone, Default)]
struct MinimumBody(EnteredBody);

/// A price entered as a bid is.
#[derive(Debug, Clone, Default)]
pub struct EnteredBody {
    currency_profile_id: Option<String>,
    entered: BidForm,
}

impl PriceBody {
    pub fn of(price: &Price, legacy: bool) -> Self {
        let text = |amount: Option<Normalized>| amount.map(Literal::from);
        let shown = price.legacy.as_ref().filter(|_| legacy);
        let minimum = price.minimum.as_ref().filter(|_| !legacy);
        Self {
            currency_code: shown.map(|shown| shown.currency.code().to_owned()),
            starting_bid: text(shown.and_then(|shown| shown.starting_bid)),
            min_bid_increment: text(shown.and_then(|shown| shown.min_bid_increment)),
            minimum: minimum.map(|minimum| MinimumBody(EnteredBody::of(minimum))),
            min_increment: text(price.min_increment.filter(|_| !legacy)),
        }
    }

    /// The members of both kinds of price; those of the wrong kind are refused beforehand.
    pub fn members(&mut self, members: &mut Members<'_>) {
        members
            .optional("currencyCode", &mut self.currency_code)
            .about("ISO 4217; without currency profiles only, as are the next two.");
        members
            .optional("startingBid", &mut self.starting_bid)
            .or_number()
            .about("A decimal: 0 < d ≤ 10^12, with at most the currency's minor-unit digits.");
        members
            .optional("minBidIncrement", &mut self.min_bid_increment)
            .or_number()
            .about("A decimal, as `startingBid`.");
        members.object(MINIMUM, &mut self.minimum).about("With currency profiles only, as is the next.");
        members
            .optional("minIncrementNormalized", &mut self.min_increment)
            .or_number()
            .about("A decimal in base units: 0 < d ≤ 10^15, at most 6 fraction digits.");
    }

    /// Leaves out what was entered as the minimum, so that a patch can enter it in the other way.
    pub fn forget_entered(&mut self) {
        if let Some(MinimumBody(minimum)) = &mut self.minimum {
            minimum.forget_entered();
        }
    }

    /// The terms of the auction's kind, with those of the other kind as they were.
    pub fn check(
        &self,
        fields: &mut Fields,
        currencies: &[Currency],
        kept: Price,
        violations: &mut Vec<Violation>,
    ) -> Price {
        if currencies.is_empty() {
            return Price { legacy: self.check_legacy(fields), ..kept };
        }
        let increment = self.min_increment.as_ref();
        let increment = decimal(fields, "minIncrementNormalized", increment, Increment::ZERO, MAX_INCREMENT);
        Price {
            minimum: self.check_minimum(fields, currencies, violations),
            min_increment: increment.and_then(rescale),
            legacy: kept.legacy,
        }
    }

    fn check_legacy(&self, fields: &mut Fields) -> Option<LegacyPrice> {
        let code = self.currency_code.as_deref();
        let currency = code.and_then(IsoCurrency::from_code);
        if currency.is_none() {
            fields.add([match code {
                Some(_) => FieldError::new("currencyCode", "must be an ISO 4217 code such as EUR"),
                None => FieldError::missing("currencyCode"),
            }]);
        }
        // While the currency is unknown, its digits can't be wrong.
        let digits = currency.map_or(Written::SCALE, minor_digits);
        let starting_bid = check_amount(fields, "startingBid", self.starting_bid.as_ref(), digits);
        let min_bid_increment =
            check_amount(fields, "minBidIncrement", self.min_bid_increment.as_ref(), digits);
        currency.map(|currency| LegacyPrice { currency, starting_bid, min_bid_increment })
    }

    fn check_minimum(
        &self,
        fields: &mut Fields,
        currencies: &[Currency],
        violations: &mut Vec<Violation>,
    ) -> Option<EnteredPrice> {
        let MinimumBody(minimum) = self.minimum.as_ref()?;
        minimum.check(MINIMUM, fields, currencies, violations)
    }
}

impl EnteredBody {
    pub fn of(price: &EnteredPrice) -> Self {
        Self { currency_profile_id: Some(price.currency_id.to_string()), entered: price.entered.clone() }
    }

    /// Leaves out what was entered, so that a patch can enter it in the other way.
    pub fn forget_entered(&mut self) {
        self.entered = BidForm::default();
    }

    pub fn members(&mut self, members: &mut Members<'_>) {
        members.required("currencyProfileId", &mut self.currency_profile_id).format(uuid());
        members.optional("amount", &mut self.entered.amount).or_number().about("A decimal, in SCALAR mode.");
        members
            .optional("enteredRepresentation", &mut self.entered.entered_representation)
            .list_of(entered_count)
            .about("In DENOMINATION mode.");
    }

    /// The price of this member of a request. It must pass a bid's input phase.
    pub fn check(
        &self,
        name: &str,
        fields: &mut Fields,
        currencies: &[Currency],
        violations: &mut Vec<Violation>,
    ) -> Option<EnteredPrice> {
        let Self { currency_profile_id, entered } = self;
        let bounds = field_errors(entered.check().err().unwrap_or_default());
        fields.add(bounds.into_iter().map(|error| error.within(name)));
        if !fields.is_clean_at(name) {
            return None;
        }
        let id = currency_profile_id.as_deref();
        let Some(currency) = currencies.iter().find(|currency| id.is_some_and(|id| currency.has_id(id)))
        else {
            let path = format!("{name}.currencyProfileId");
            fields.error(path, "must be a currency profile of this auction");
            return None;
        };
        match normalize(currency, entered) {
            Ok(normalized) => {
                let entered = canonical_form(entered.clone());
                Some(EnteredPrice { currency_id: currency.id, entered, normalized })
            }
            Err(broken) => {
                fields.report(match broken.first() {
                    Some(violation) => FieldError::explained(name, &violation.message),
                    None => FieldError::new(name, "must be a bid in this currency"),
                });
                *violations = broken;
                None
            }
        }
    }
}

impl Shape for MinimumBody {
    const NAME: &'static str = "NewMinBidConstraint";
    const ABOUT: &'static str = "What the first bid must reach, entered as a bid is.";

    fn members(&mut self, members: &mut Members<'_>) {
        self.0.members(members);
    }
}

/// Refuses the price terms of the kind that the auction is not.
pub fn refuse_other_price(fields: &mut Fields, currencies: &[Currency]) {
    let (names, why): (&[&str], _) = if currencies.is_empty() {
        (&[MINIMUM, "minIncrementNormalized"], "must be absent: the auction has no currency profiles")
    } else {
        let names = &["currencyCode", "startingBid", "minBidIncrement"];
        (names, "must be absent: the auction has currency profiles")
    };
    for name in names {
        fields.refuse(name, why);
    }
}

/// How many fraction digits the currency's amounts have. A few, gold among them, have no minor unit.
pub fn minor_digits(currency: IsoCurrency) -> u32 {
    currency.exponent().map_or(0, u32::from)
}

/// The currency of a legacy item as a profile. Its base unit is the currency itself, so a normalized amount
/// is the amount.
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

fn check_amount(
    fields: &mut Fields,
    name: &str,
    literal: Option<&Literal>,
    digits: u32,
) -> Option<Normalized> {
    let max = rescale(MAX_AMOUNT)?;
    let amount = Written::try_from(literal?).ok().and_then(rescale::<_, { Normalized::SCALE }>);
    let coarse = 10_i128.pow(Normalized::SCALE.saturating_sub(digits));
    let fits =
        |amount: &Normalized| *amount > Normalized::ZERO && *amount <= max && amount.mantissa() % coarse == 0;
    let amount = amount.filter(fits);
    if amount.is_none() {
        fields.report(no_decimal(name, "above 0 and at most ", max.to_string(), digits));
    }
    amount
}

/// The number with more fraction digits.
pub fn rescale<const FROM: u32, const TO: u32>(number: Fixed<FROM>) -> Option<Fixed<TO>> {
    let unit = 10_i128.pow(TO.checked_sub(FROM)?);
    number.mantissa().checked_mul(unit).and_then(Fixed::from_mantissa)
}

/// The price as the currency has it, such as without digits that it does not have. What breaks the input
/// phase stays as it was entered.
pub fn rounded(currency: &Currency, price: EnteredPrice) -> EnteredPrice {
    let rules = RuleSet::compile(&currency.definition(), &[], &ItemTerms::default());
    let read = rules.ok().and_then(|rules| rules.normalize(&price.entered).ok());
    match read {
        Some((form, normalized)) => EnteredPrice { entered: BidForm::from(&form), normalized, ..price },
        None => price,
    }
}

pub fn normalize(currency: &Currency, entered: &BidForm) -> Result<Normalized, Vec<Violation>> {
    // INVARIANT: a stored profile keeps the bounds.
    let rules = RuleSet::compile(&currency.definition(), &[], &ItemTerms::default());
    let rules = rules.map_err(|_| Vec::new())?;
    rules.normalize(entered).map(|(_, normalized)| normalized)
}

/// The entered bid with its decimals in canonical form.
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
