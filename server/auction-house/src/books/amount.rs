//! Amounts of books in requests.

use std::ops::RangeInclusive;

use rules_engine::bounds::{MAX_NORMALIZED, MIN_AVAILABLE};
use rules_engine::money::{Literal, Normalized, grouped};

use crate::engine::no_decimal;
use platform::fields::{FieldError, Fields};

/// Amounts of entries, and balances.
pub const SIGNED: RangeInclusive<Normalized> = MIN_AVAILABLE..=MAX_NORMALIZED;
/// Starting balances and credit limits.
pub const UNSIGNED: RangeInclusive<Normalized> = Normalized::ZERO..=MAX_NORMALIZED;

/// Reads a decimal with at most 13 fraction digits.
pub fn amount(text: &str, range: &RangeInclusive<Normalized>) -> Option<Normalized> {
    Normalized::parse(text).ok().filter(|amount| range.contains(amount))
}

/// Reads a decimal and reports an error that names the bounds.
pub fn member(
    fields: &mut Fields,
    name: &str,
    literal: Option<&Literal>,
    range: &RangeInclusive<Normalized>,
) -> Option<Normalized> {
    let found = amount(literal?.as_str(), range);
    if found.is_none() {
        fields.report(out_of_bounds(name, range));
    }
    found
}

/// The error of an amount beyond its bounds.
pub fn out_of_bounds(path: &str, range: &RangeInclusive<Normalized>) -> FieldError {
    let (least, most) = (range.start(), range.end());
    let range = format!("from {} to ", grouped(&least.to_string()));
    no_decimal(path, &range, most.to_string(), Normalized::SCALE)
}
