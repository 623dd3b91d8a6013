use alloc::string::String;
use core::{fmt, str::FromStr};

use rust_decimal::Decimal;
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

use super::{
    Literal, NORMALIZED_DIGITS, Written, canonical,
    written::{FRACTION_DIGITS, INTEGER_DIGITS},
};

/// An exact decimal with at most `SCALE` (0–13) fraction digits, between -10^18 and 10^18, both excluded.
///
/// It prints in canonical form (`12.5`, never `12.50`), and so do its JSON string and its `FromStr`'s
/// inverse. Equal numbers are equal bytes.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
// INVARIANT: the mantissa, in units of 10^-SCALE, lies below 10^(18 + SCALE) in magnitude.
pub struct Fixed<const SCALE: u32>(i128);

/// Why a text or a number does not fit a [`Fixed`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NumberError {
    /// The text is not of the form `-?digits(.digits)?`.
    NotADecimal,
    /// There are more fraction digits than the number may have.
    TooManyDigits,
    /// The number is too large.
    OutOfRange,
}

impl fmt::Display for NumberError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(match self {
            Self::NotADecimal => "not a decimal such as 12 or 12.5",
            Self::TooManyDigits => "too many fraction digits",
            Self::OutOfRange => "too large",
        })
    }
}

impl core::error::Error for NumberError {}

impl<const SCALE: u32> Fixed<SCALE> {
    /// Zero.
    pub const ZERO: Self = Self(0);
    /// The number of fraction digits.
    pub const SCALE: u32 = SCALE;
    /// One, in units of 10^-`SCALE`.
    const UNIT: u64 = {
        assert!(SCALE <= NORMALIZED_DIGITS, "a fixed decimal has at most 13 fraction digits");
        10_u64.pow(SCALE)
    };
    /// The smallest magnitude that is too large, in units of 10^-`SCALE`.
    #[expect(clippy::as_conversions, reason = "a lossless widening, in a constant")]
    const END: u128 = 10_u128.pow(INTEGER_DIGITS as u32) * Self::UNIT as u128;

    /// The number `mantissa` · 10^-`SCALE`; none if its magnitude is 10^18 or more.
    #[must_use]
    pub const fn from_mantissa(mantissa: i128) -> Option<Self> {
        if mantissa.unsigned_abs() < Self::END { Some(Self(mantissa)) } else { None }
    }

    /// A whole number, for constants.
    pub(crate) const fn whole(value: u32) -> Self {
        #[expect(clippy::as_conversions, reason = "a lossless widening, in a constant")]
        Self((value as i128).saturating_mul(Self::UNIT as i128))
    }

    /// The number in units of 10^-`SCALE`.
    #[must_use]
    pub const fn mantissa(self) -> i128 {
        self.0
    }

    /// The number without its sign, in units of 10^-`SCALE`.
    pub(crate) const fn magnitude(self) -> u128 {
        self.0.unsigned_abs()
    }

    /// The same number with the 13 fraction digits of a normalized amount.
    #[must_use]
    pub const fn widen(self) -> Fixed<NORMALIZED_DIGITS> {
        // INVARIANT: every scale has the same range of integers, so that nothing saturates.
        Fixed(self.0.saturating_mul(10_i128.pow(NORMALIZED_DIGITS.saturating_sub(SCALE))))
    }

    /// How many fraction digits the number has in canonical form.
    pub(crate) fn fraction_digits(self) -> u32 {
        let mut digits = SCALE;
        let mut rest = self.magnitude();
        while digits > 0 && rest.is_multiple_of(10) {
            rest = rest.wrapping_div(10);
            digits = digits.saturating_sub(1);
        }
        digits
    }

    /// Whether the number is below zero.
    #[must_use]
    pub const fn is_negative(self) -> bool {
        self.0 < 0
    }

    /// The sum; none if it is out of range.
    #[must_use]
    pub fn checked_add(self, other: Self) -> Option<Self> {
        self.0.checked_add(other.0).and_then(Self::from_mantissa)
    }

    /// The difference; none if it is out of range.
    #[must_use]
    pub fn checked_sub(self, other: Self) -> Option<Self> {
        self.0.checked_sub(other.0).and_then(Self::from_mantissa)
    }

    /// Reads a decimal as a request writes it. Trailing zeros do not count, up to 9 fraction digits in all
    /// (13 for [`Normalized`](super::Normalized)).
    ///
    /// # Errors
    /// [`NumberError`]
    pub fn parse(text: &str) -> Result<Self, NumberError> {
        let scale = usize::try_from(SCALE).unwrap_or(FRACTION_DIGITS);
        Written::parse(text, scale.max(FRACTION_DIGITS)).and_then(Self::from_written)
    }

    /// Converts a decimal that is already read.
    pub(crate) fn from_written(written: Written) -> Result<Self, NumberError> {
        let fine = const { 10_u64.pow(NORMALIZED_DIGITS.saturating_sub(SCALE)) };
        if !written.fraction.is_multiple_of(fine) {
            return Err(NumberError::TooManyDigits);
        }
        let whole = i128::from(written.integer).saturating_mul(i128::from(Self::UNIT));
        let fraction = written.fraction.checked_div(fine).unwrap_or(0);
        let magnitude = whole.saturating_add(fraction.into());
        let mantissa = if written.is_negative() { magnitude.saturating_neg() } else { magnitude };
        Self::from_mantissa(mantissa).ok_or(NumberError::OutOfRange)
    }
}

impl<const SCALE: u32> TryFrom<&Literal> for Fixed<SCALE> {
    type Error = NumberError;

    fn try_from(literal: &Literal) -> Result<Self, NumberError> {
        Self::parse(literal.as_str())
    }
}

impl<const SCALE: u32> FromStr for Fixed<SCALE> {
    type Err = NumberError;

    fn from_str(text: &str) -> Result<Self, NumberError> {
        Self::parse(text)
    }
}

impl<const SCALE: u32> From<Fixed<SCALE>> for String {
    fn from(number: Fixed<SCALE>) -> Self {
        canonical(number.is_negative(), number.magnitude(), SCALE)
    }
}

impl<const SCALE: u32> From<Fixed<SCALE>> for Literal {
    fn from(number: Fixed<SCALE>) -> Self {
        Self::from(String::from(number))
    }
}

impl<const SCALE: u32> fmt::Display for Fixed<SCALE> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&String::from(*self))
    }
}

impl<const SCALE: u32> fmt::Debug for Fixed<SCALE> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, out)
    }
}

/// Exact, or an error: `rust_decimal` itself would round a number that it can't hold.
impl<const SCALE: u32> TryFrom<Decimal> for Fixed<SCALE> {
    type Error = NumberError;

    fn try_from(decimal: Decimal) -> Result<Self, NumberError> {
        let decimal = decimal.normalize();
        let further = SCALE.checked_sub(decimal.scale()).ok_or(NumberError::TooManyDigits)?;
        let unit = 10_i128.checked_pow(further).ok_or(NumberError::OutOfRange)?;
        let mantissa = decimal.mantissa().checked_mul(unit);
        mantissa.and_then(Self::from_mantissa).ok_or(NumberError::OutOfRange)
    }
}

/// Exact, or an error: a `Decimal` holds 96 bits, enough for every amount within the bounds of `bounds`.
impl<const SCALE: u32> TryFrom<Fixed<SCALE>> for Decimal {
    type Error = NumberError;

    fn try_from(number: Fixed<SCALE>) -> Result<Self, NumberError> {
        let decimal = Self::try_from_i128_with_scale(number.0, SCALE);
        decimal.map(|decimal| decimal.normalize()).map_err(|_| NumberError::OutOfRange)
    }
}

impl<const SCALE: u32> Serialize for Fixed<SCALE> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&String::from(*self))
    }
}

impl<'de, const SCALE: u32> Deserialize<'de> for Fixed<SCALE> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let literal = Literal::deserialize(deserializer)?;
        Self::try_from(&literal).map_err(de::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use alloc::{format, string::ToString};

    use super::*;
    use crate::money::{Count, Normalized, Rate};

    #[test]
    fn reads_and_prints_canonically() {
        for (text, printed) in [
            ("0", "0"),
            ("-0.00", "0"),
            ("007.50", "7.5"),
            ("-12.25", "-12.25"),
            ("100", "100"),
            ("999999999999999999.9999", "999999999999999999.9999"),
        ] {
            assert_eq!(Count::parse(text).map(|amount| amount.to_string()), Ok(printed.into()));
        }
    }

    #[test]
    fn significant_digits_count_and_zeros_are_free() {
        assert_eq!(Rate::parse("1.5000000"), Rate::parse("1.5"));
        assert_eq!(Rate::parse("1.0000001"), Err(NumberError::TooManyDigits));
        assert!(Normalized::parse("0.0000000000001").is_ok());
        assert_eq!(Normalized::parse("0.00000000000010"), Err(NumberError::TooManyDigits));
        assert_eq!(Count::parse("0.0000000000"), Err(NumberError::TooManyDigits));
    }

    #[test]
    fn range_ends_below_ten_to_the_eighteenth() {
        let last = 10_i128.pow(22) - 1;
        for sign in [1, -1] {
            assert!(Count::from_mantissa(sign * (last - 1)).is_some());
            assert!(Count::from_mantissa(sign * last).is_some());
            assert!(Count::from_mantissa(sign * (last + 1)).is_none());
        }
        assert!(Count::from_mantissa(i128::MIN).is_none());
        let last = Count::from_mantissa(last).expect("in range");
        let unit = Count::from_mantissa(1).expect("in range");
        assert_eq!(last.checked_add(unit), None);
        assert_eq!(last.checked_sub(last), Some(Count::ZERO));
    }

    #[test]
    fn widening_keeps_the_number() {
        for text in ["0", "-0.0001", "999999999999999999.9999"] {
            let amount = Count::parse(text).expect("an amount");
            assert_eq!(amount.widen().to_string(), amount.to_string());
        }
    }

    #[test]
    fn decimals_convert_exactly_or_not_at_all() {
        for text in ["0", "1.25", "-7.0001", "1000000000000000"] {
            let amount = Count::parse(text).expect("an amount");
            let decimal = Decimal::try_from(amount).expect("fits");
            assert_eq!(decimal.to_string(), amount.to_string());
            assert_eq!(Count::try_from(decimal), Ok(amount));
        }
        let fine = Decimal::new(12_345, 5);
        assert_eq!(Count::try_from(fine), Err(NumberError::TooManyDigits));
        assert_eq!(Count::try_from(Decimal::new(123_450, 6)), Err(NumberError::TooManyDigits));
        assert_eq!(Count::try_from(Decimal::new(12_340, 5)).map(|a| a.to_string()), Ok("0.1234".into()));
        assert_eq!(Count::try_from(Decimal::MAX), Err(NumberError::OutOfRange));
        let wide = Normalized::parse("999999999999999999").expect("a number");
        assert_eq!(Decimal::try_from(wide), Err(NumberError::OutOfRange), "never rounded");
    }

    #[test]
    fn json_is_a_canonical_string_and_reads_numbers_too() {
        let read = |json: &str| serde_json::from_str::<Count>(json).map(|amount| amount.to_string()).ok();
        assert_eq!(read("12.50").as_deref(), Some("12.5"));
        assert_eq!(read("\"12.50\"").as_deref(), Some("12.5"));
        assert_eq!(read("1.00001"), None);
        assert_eq!(read("1e2"), None);
        assert_eq!(serde_json::to_string(&Count::whole(12)).ok().as_deref(), Some("\"12\""));
        assert_eq!(format!("{}|{:?}", Count::whole(12), Count::whole(7)), "12|7");
    }
}
