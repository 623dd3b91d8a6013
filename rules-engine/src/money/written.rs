use alloc::string::String;

use super::{NORMALIZED_DIGITS, NumberError, canonical};

/// Integer digits that a decimal may have, once leading zeros are dropped.
pub(crate) const INTEGER_DIGITS: usize = 18;
/// Fraction digits that a decimal in a request may have, as written.
pub(crate) const FRACTION_DIGITS: usize = 9;
/// Digits of [`Written::fraction`]: as many as a normalized amount has, which one case may carry.
const SCALE: usize = 13;
/// 1 in units of 10^-13.
const UNIT: u128 = 10_u128.pow(NORMALIZED_DIGITS);

/// A decimal in its digits, as the grammar `-?digits(.digits)?` reads them.
///
/// INVARIANT: `integer` < 10^18 and `fraction` < 10^13, so that both fit 64 bits with room to spare.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Written {
    minus: bool,
    pub(crate) integer: u64,
    /// In units of 10^-13.
    pub(crate) fraction: u64,
}

impl Written {
    /// Reads a decimal with at most 18 integer digits after leading zeros and `fraction_digits` (at most 13)
    /// as written.
    pub(crate) fn parse(text: &str, fraction_digits: usize) -> Result<Self, NumberError> {
        let (minus, digits) = match text.strip_prefix('-') {
            Some(rest) => (true, rest),
            None => (false, text),
        };
        let point = digits.bytes().position(|byte| byte == b'.').unwrap_or(digits.len());
        let (integer, rest) = digits.split_at_checked(point).unwrap_or_default();
        let fraction = rest.strip_prefix('.').unwrap_or_default();
        if integer.is_empty() || rest == "." {
            return Err(NumberError::NotADecimal);
        }
        // Read the whole text before checking its length, so that a text that is no decimal is reported as
        // such.
        let significant = integer.trim_start_matches('0');
        let integer = number(significant, significant.len())?;
        let fraction_value = number(fraction, SCALE)?;
        if significant.len() > INTEGER_DIGITS {
            return Err(NumberError::OutOfRange);
        }
        if fraction.len() > fraction_digits.min(SCALE) {
            return Err(NumberError::TooManyDigits);
        }
        Ok(Self { minus, integer, fraction: fraction_value })
    }

    /// Reads a decimal as a request writes it.
    pub(crate) fn read(text: &str) -> Result<Self, NumberError> {
        Self::parse(text, FRACTION_DIGITS)
    }

    /// The number in canonical form.
    pub(crate) fn print(self) -> String {
        let whole = u128::from(self.integer).saturating_mul(UNIT);
        canonical(self.minus, whole.saturating_add(self.fraction.into()), NORMALIZED_DIGITS)
    }

    fn is_zero(self) -> bool {
        self.integer == 0 && self.fraction == 0
    }

    /// Below zero; `-0` is not.
    pub(crate) fn is_negative(self) -> bool {
        self.minus && !self.is_zero()
    }
}

/// The number that `digits` give when they are padded with zeros to `length`. With more digits than fit the
/// result is meaningless, and the caller refuses the number for its length.
fn number(digits: &str, length: usize) -> Result<u64, NumberError> {
    let mut value = 0_u64;
    for byte in digits.bytes() {
        if !byte.is_ascii_digit() {
            return Err(NumberError::NotADecimal);
        }
        let digit = byte.wrapping_sub(b'0');
        value = value.wrapping_mul(10).wrapping_add(u64::from(digit));
    }
    for _ in digits.len()..length {
        value = value.wrapping_mul(10);
    }
    Ok(value)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<(bool, u64, u64), NumberError> {
        Written::parse(text, FRACTION_DIGITS).map(|w| (w.is_negative(), w.integer, w.fraction))
    }

    #[test]
    fn reads_digits() {
        assert_eq!(read("0"), Ok((false, 0, 0)));
        assert_eq!(read("007"), Ok((false, 7, 0)));
        assert_eq!(read("-12.5"), Ok((true, 12, 5_000_000_000_000)));
        assert_eq!(read("0.000000001"), Ok((false, 0, 10_000)));
        assert_eq!(read("-0.0"), Ok((false, 0, 0)), "zero has no sign");
    }

    #[test]
    fn refuses_texts_that_are_no_decimals() {
        for text in [
            "",
            "-",
            ".",
            "-.",
            "1.",
            ".5",
            "+1",
            "--1",
            "1.2.3",
            "1e3",
            "1E3",
            "1_000",
            "1,5",
            " 1",
            "1 ",
            "0x10",
            "NaN",
            "Infinity",
            "abc",
            "\u{2212}5",
            "\u{0661}",
            "1.-5",
            "1-",
            "99999999999999999999x",
        ] {
            assert_eq!(read(text), Err(NumberError::NotADecimal), "{text:?}");
        }
    }

    #[test]
    fn at_most_eighteen_integer_digits() {
        assert_eq!(read("99999999999999999"), Ok((false, 99_999_999_999_999_999, 0)));
        assert_eq!(read("999999999999999999"), Ok((false, 999_999_999_999_999_999, 0)));
        assert_eq!(read("000999999999999999999"), Ok((false, 999_999_999_999_999_999, 0)));
        assert_eq!(read("1000000000000000000"), Err(NumberError::OutOfRange));
    }

    #[test]
    fn at_most_the_given_fraction_digits() {
        assert!(read("0.00000001").is_ok());
        assert!(read("0.123456789").is_ok());
        assert_eq!(read("0.1234567891"), Err(NumberError::TooManyDigits));
        assert_eq!(read("0.1000000000"), Err(NumberError::TooManyDigits), "as written: zeros count here");
        assert!(Written::parse("0.1234567891234", 13).is_ok());
        assert_eq!(Written::parse("0.12345678912340", 13), Err(NumberError::TooManyDigits));
        assert_eq!(Written::parse("0.12345678912340", 99), Err(NumberError::TooManyDigits));
    }
}
