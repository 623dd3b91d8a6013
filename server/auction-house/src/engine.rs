//! Between requests and the rules engine: decimals read from their digits, the engine's errors as those of
//! fields, and its violations as details of a problem.

use platform::db::{DbError, Json};
use platform::fields::{Fault, FieldError, Fields};
use rules_engine::money::decimal_in;
use rules_engine::{DefinitionError, DefinitionFault};
use serde::Serialize;
use serde_json::value::RawValue;

/// The engine's types that pages and the demo use: the server depends on the engine through this crate only.
pub use rules_engine::money::{Amount, Fixed, Literal, Normalized, NumberError, Ratio, at_most};
pub use rules_engine::{BidContext, BidForm, EnteredCount, ItemTerms, RuleSet, RuleType, Violation};

/// A bid as it was entered, from its columns.
pub fn entered(amount: Option<Literal>, counts: Option<Json<Vec<EnteredCount>>>) -> BidForm {
    BidForm { amount, entered_representation: counts.map(|counts| counts.0) }
}

/// A canonical decimal as a JSON number with these digits.
pub fn json_number(amount: Literal) -> Result<Box<RawValue>, DbError> {
    RawValue::from_string(amount.into())
        .map_err(|error| DbError::Corrupt(format!("an amount that is no number: {error}")))
}

/// What the engine finds wrong with a definition, by field.
pub fn field_errors(errors: Vec<DefinitionError>) -> Vec<FieldError> {
    let field_error = |DefinitionError { path, message, fault }| {
        FieldError::new(path, message).because(match fault {
            DefinitionFault::Invalid => Fault::Invalid,
            DefinitionFault::Missing => Fault::Missing,
            DefinitionFault::Decimal { max, digits } => Fault::Decimal { max, digits },
            DefinitionFault::Duplicate => Fault::Duplicate,
        })
    };
    errors.into_iter().map(field_error).collect()
}

/// Details of a bid, or of a minimum that is written as one, that breaks rules.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct BidDetails {
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub fields: Vec<FieldError>,
    /// Absent where it is not a bid. Null where the bid can't be normalized.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub normalized_amount: Option<Option<String>>,
    pub violations: Vec<Violation>,
}

/// Checks a decimal against bounds, which the message names.
pub fn decimal<const SCALE: u32>(
    fields: &mut Fields,
    name: &str,
    literal: Option<&Literal>,
    above: Fixed<SCALE>,
    max: Fixed<SCALE>,
) -> Option<Fixed<SCALE>> {
    let number = Fixed::try_from(literal?).ok().filter(|number| *number > above && *number <= max);
    if number.is_none() {
        fields.report(no_decimal(name, &format!("above {above} and at most "), max.to_string(), SCALE));
    }
    number
}

/// The error of a field that is no decimal in a range that ends with `max`.
pub fn no_decimal(name: &str, range: &str, max: String, digits: u32) -> FieldError {
    let message = decimal_in(range, &max, digits);
    FieldError::new(name, message).because(Fault::Decimal { max, digits })
}

/// The decimal in canonical form, as responses write it. A text that is not a decimal stays as it is.
pub fn canonical(literal: &Literal) -> Literal {
    Fixed::<9>::try_from(literal).map_or_else(|_| literal.clone(), Literal::from)
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_engine_and_the_platform_know_the_same_digits() {
        for letter in ('\u{80}'..=char::MAX).filter(|letter| platform::text::is_number(*letter)) {
            let typed = letter.to_string();
            let digit = platform::text::ascii_digits(&typed);
            let expected = if digit == typed { typed.clone() } else { digit };
            assert_eq!(rules_engine::typed::typed_number(&typed, false), expected, "{letter}");
        }
    }
}
