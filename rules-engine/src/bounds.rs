//! Every bound of SPEC, sections 4 to 7, by name, with the error message for a value out of bounds.
//!
//! Within these bounds no sum or product overflows 128 bits and no result needs a further digit. The
//! assertions below prove it when this file compiles.

use crate::{
    definition::Unreadable,
    money::{
        AMOUNT_DIGITS, Amount, COUNT_DIGITS, Count, Factor, Fixed, Increment, NORMALIZED_DIGITS, Normalized,
        Percent, Rate, Ratio,
    },
};

/// Characters of an id or a code, at most; an id has at least one.
pub const MAX_ID_CHARS: usize = 64;
/// Characters of a denomination's own code, at most, each of `A–Z 0–9 _ -`.
pub const MAX_CODE_CHARS: usize = 12;
/// Denominations of a profile, at most.
pub const MAX_DENOMINATIONS: usize = 16;
/// Fraction digits that an entered amount may keep, at most.
pub const MAX_PRECISION: u32 = AMOUNT_DIGITS;
/// Fraction digits that a count may keep, at most. From here on each further digit of an amount lowers its
/// bound tenfold.
pub const MAX_COUNT_PRECISION: u32 = COUNT_DIGITS;
/// Fraction digits of a precision above that of counts and of the rate together, at most.
pub const MAX_DIGITS: u32 = NORMALIZED_DIGITS;
/// Rules of an auction, at most.
pub const MAX_RULES: usize = 64;
/// The last position of a rule.
pub const MAX_POSITION: u32 = 1_000_000;
/// Tiers of one rule, at most.
pub const MAX_TIERS: usize = 32;
/// Values of one ladder, at most.
pub const MAX_LADDER: usize = 64;
/// Entries of one bid, at most.
pub const MAX_ENTRIES: usize = 64;

/// Base units for one unit of a currency, at most.
pub const MAX_RATE: Rate = Rate::whole(1_000_000);
/// Units of a currency for one unit of a denomination, at most.
pub const MAX_FACTOR: Factor = Factor::whole(1_000_000);
/// A count, or an amount of a precision up to that of counts, after rounding, at most: 10^12.
pub const MAX_AMOUNT: Amount = thousandfold(Amount::whole(1_000_000_000));
/// A count that a rule requires, at most: 10^12.
pub const MAX_COUNT: Count = thousandfold(Count::whole(1_000_000_000));
/// A normalized amount, an increment or the start of a tier, at most: 10^15.
pub const MAX_NORMALIZED: Normalized = thousandfold(thousandfold(Normalized::whole(1_000_000_000)));
/// What a bidder has available in a case, at least: -10^15.
pub const MIN_AVAILABLE: Normalized =
    match Normalized::from_mantissa(MAX_NORMALIZED.mantissa().saturating_neg()) {
        Some(debt) => debt,
        None => Normalized::ZERO,
    };
/// A configured increment, at most: 10^15.
pub const MAX_INCREMENT: Increment = thousandfold(thousandfold(Increment::whole(1_000_000_000)));
/// An increment in percent of the highest bid, at most.
pub const MAX_PERCENT: Percent = Percent::whole(100);
/// A rise above the highest bid in percent, at most.
pub const MAX_RISE: Percent = Percent::whole(1_000);
/// A denomination's share of a bid, at most: all of it.
pub const MAX_RATIO: Ratio = Ratio::whole(1);

pub(crate) const fn thousandfold<const SCALE: u32>(number: Fixed<SCALE>) -> Fixed<SCALE> {
    match Fixed::from_mantissa(number.mantissa().saturating_mul(1_000)) {
        Some(number) => number,
        None => Fixed::ZERO,
    }
}

/// The largest amount or count in the unit in which it is kept, whatever the precision: 10^16.
pub(crate) const MAX_UNITS: u64 = 10_u64.pow(16);

// Section 6: “every result is exact with at most 13 fraction digits”: those of a count, a factor and a rate.
// An amount with more digits than a count has no factor, and its rate as many less: MAX_DIGITS.
const _: () = assert!(COUNT_DIGITS + Factor::SCALE + Rate::SCALE == NORMALIZED_DIGITS);
const _: () = assert!(MAX_DIGITS <= NORMALIZED_DIGITS && MAX_PRECISION <= AMOUNT_DIGITS);

// 10^12 with 4 digits and 10^8 with 8 digits are as many units.
#[expect(clippy::as_conversions, reason = "a lossless widening, in a constant")]
const LARGEST_UNITS: u128 = MAX_UNITS as u128;
const _: () = assert!(MAX_AMOUNT.magnitude() == LARGEST_UNITS * 10_u128.pow(AMOUNT_DIGITS - COUNT_DIGITS));
const _: () = assert!(MAX_COUNT.magnitude() == LARGEST_UNITS);

// “… and every intermediate value 128 bits”: the largest bid, in all its denominations. The value of one unit
// of an amount with more than 4 digits is smaller than that of a count with the largest factor.
const LARGEST_UNIT_VALUE: u128 = MAX_FACTOR.magnitude() * MAX_RATE.magnitude();
#[expect(clippy::as_conversions, reason = "a lossless widening, in a constant")]
const LARGEST_VALUE: u128 = MAX_DENOMINATIONS as u128 * LARGEST_UNITS * LARGEST_UNIT_VALUE;
const _: () = assert!(LARGEST_VALUE < i128::MAX.unsigned_abs());
const _: () = assert!(
    LARGEST_VALUE / 100 * 106 < i128::MAX.unsigned_abs()
        && LARGEST_VALUE / 100 * 107 > i128::MAX.unsigned_abs()
);

// “… and fits a 96-bit decimal”.
const _: () = assert!(MAX_NORMALIZED.magnitude() < 1 << 96);

// A component against its share of the whole, and its ratio to six digits, by multiplication.
const _: () = assert!(MAX_NORMALIZED.magnitude().checked_mul(MAX_RATIO.magnitude()).is_some());
const _: () = assert!(MAX_NORMALIZED.magnitude().checked_mul(1_000_000).is_some());

// A percentage of the highest bid, before it is divided.
const _: () = assert!(MAX_PERCENT.magnitude() <= MAX_RISE.magnitude());
const _: () = assert!(MAX_NORMALIZED.magnitude().checked_mul(MAX_RISE.magnitude()).is_some());

// A ladder's value beyond the largest bid, and what is required at most: below 10^19, which is printed.
const _: () = assert!(MAX_NORMALIZED.magnitude().checked_mul(100).is_some());

/// What an entered amount may be at most, in base 10: 10^12, or 10^(16 - precision) above 4 digits.
pub(crate) fn max_amount(digits: u32) -> Amount {
    let finer = 10_i128.saturating_pow(AMOUNT_DIGITS.saturating_sub(digits));
    Amount::from_mantissa(i128::from(MAX_UNITS).saturating_mul(finer)).unwrap_or_default()
}

/// Reads a decimal above zero and at most `max`.
///
/// # Errors
/// What it must be, with both bounds and the digits, as the rest of a sentence.
pub(crate) fn positive<const SCALE: u32>(text: &str, max: Fixed<SCALE>) -> Result<Fixed<SCALE>, Unreadable> {
    match Fixed::parse(text) {
        Ok(number) if number > Fixed::ZERO && number <= max => Ok(number),
        _ => Err(Unreadable::decimal("above 0 and at most ", max.into(), SCALE)),
    }
}

/// Reads a decimal from zero to `max`.
///
/// # Errors
/// What it must be, with both bounds and the digits, as the rest of a sentence.
pub(crate) fn within<const SCALE: u32>(text: &str, max: Fixed<SCALE>) -> Result<Fixed<SCALE>, Unreadable> {
    match Fixed::parse(text) {
        Ok(number) if !number.is_negative() && number <= max => Ok(number),
        _ => Err(Unreadable::decimal("from 0 to ", max.into(), SCALE)),
    }
}

/// Whether `id` has 1 to 64 characters.
#[must_use]
pub fn is_id(id: &str) -> bool {
    !id.is_empty() && is_short(id)
}

/// Whether `text` has at most 64 characters, the limit for the code of an entry.
pub(crate) fn is_short(text: &str) -> bool {
    text.len() <= MAX_ID_CHARS || text.chars().nth(MAX_ID_CHARS).is_none()
}

/// Whether `code` has 1 to 12 characters, each of `A–Z 0–9 _ -`, as the codes of profiles and denominations
/// have.
#[must_use]
pub fn is_code(code: &str) -> bool {
    let allowed = |byte: u8| matches!(byte, b'A'..=b'Z' | b'0'..=b'9' | b'_' | b'-');
    (1..=MAX_CODE_CHARS).contains(&code.len()) && code.bytes().all(allowed)
}
