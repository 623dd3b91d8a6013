use alloc::string::{String, ToString};

/// Characters of a text given by others that a violation quotes.
const QUOTED: usize = 64;

/// Prints `mantissa` · 10^-`scale` in canonical form: no exponent, no trailing zeros, `0` for zero.
///
/// INVARIANT: `scale` is at most 13, so that a fraction fits 64 bits.
pub(crate) fn canonical(minus: bool, mantissa: u128, scale: u32) -> String {
    let unit = 10_u64.saturating_pow(scale);
    let integer = mantissa.checked_div(unit.into()).unwrap_or(0);
    let fraction = mantissa.checked_rem(unit.into()).unwrap_or(0);
    let mut text = String::new();
    if minus && mantissa != 0 {
        text.push('-');
    }
    text.push_str(&integer.to_string());
    push_fraction(&mut text, u64::try_from(fraction).unwrap_or(0), unit);
    text
}

/// Adds the point and the digits of `fraction` / `unit` up to the last that is not zero.
fn push_fraction(text: &mut String, mut fraction: u64, unit: u64) {
    if fraction != 0 {
        text.push('.');
    }
    let mut place = unit;
    while fraction != 0 {
        place = place.wrapping_div(10);
        let digit = fraction.checked_div(place).unwrap_or(0);
        text.extend(u32::try_from(digit).ok().and_then(|digit| char::from_digit(digit, 10)));
        fraction = fraction.checked_rem(place).unwrap_or(0);
    }
}

/// The first 64 characters of what somebody sent.
pub(crate) fn cut(text: &str) -> String {
    text.chars().take(QUOTED).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prints_canonically() {
        for (minus, mantissa, scale, text) in [
            (false, 0, 13, "0"),
            (true, 0, 13, "0"),
            (false, 5, 0, "5"),
            (true, 125, 1, "-12.5"),
            (false, 1, 13, "0.0000000000001"),
            (false, 12_500, 4, "1.25"),
            (false, 10_000, 4, "1"),
            (false, 1_000_000, 4, "100"),
            (false, 10_010, 4, "1.001"),
            (false, u128::MAX, 0, "340282366920938463463374607431768211455"),
            (false, u128::MAX, 13, "34028236692093846346337460.7431768211455"),
        ] {
            assert_eq!(canonical(minus, mantissa, scale), text);
        }
    }

    #[test]
    fn cuts_by_characters() {
        assert_eq!(cut("abc"), "abc");
        assert_eq!(cut(&"é".repeat(64)).chars().count(), 64);
        assert_eq!(cut(&"é".repeat(65)).chars().count(), 64);
    }
}
