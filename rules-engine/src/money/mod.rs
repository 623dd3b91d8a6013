//! Exact decimals: read from their digits, kept as integers, printed in one canonical form.
//!
//! No amount ever passes through a float. A [`Literal`] is a number as it was written, a [`Fixed`] is its
//! value. One grammar converts the first to the second (SPEC, section 1): `-?digits(.digits)?`.

mod at_most;
mod fixed;
mod literal;
mod print;
mod round;
mod written;

pub use at_most::{at_most, decimal_in, grouped};
pub use fixed::{Fixed, NumberError};
pub use literal::Literal;
pub use round::FractionPolicy;

pub(crate) use print::{canonical, truncate};
pub(crate) use round::Rounding;
pub(crate) use written::Written;

/// Fraction digits that a normalized amount may have: 4 of a count, 3 of a factor, 6 of a rate.
pub const NORMALIZED_DIGITS: u32 = 13;
/// Fraction digits that an entered amount may keep.
pub const AMOUNT_DIGITS: u32 = 8;
/// Fraction digits that the count of a denomination may keep.
pub const COUNT_DIGITS: u32 = 4;

/// An amount in base units, the one scale on which all bids of an auction are compared.
pub type Normalized = Fixed<NORMALIZED_DIGITS>;
/// An entered amount, or the count of one denomination.
pub type Amount = Fixed<AMOUNT_DIGITS>;
/// A count of one denomination, as a rule requires it.
pub type Count = Fixed<COUNT_DIGITS>;
/// Base units for one unit of a currency.
pub type Rate = Fixed<6>;
/// Units of a currency that one unit of a denomination is worth.
pub type Factor = Fixed<3>;
/// A share of a bid's value, from 0 to 1.
pub type Ratio = Fixed<4>;
/// A share of the highest bid, in hundredths.
pub type Percent = Fixed<3>;
/// An increment as it is configured, in base units.
pub type Increment = Fixed<6>;
