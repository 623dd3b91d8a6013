use alloc::string::String;

/// Characters that a violation quotes of a text from a request.
const QUOTED: usize = 64;

/// Digits of the largest 64-bit number.
const DIGITS: usize = 20;

/// Prints `mantissa` · 10^-`scale` in canonical form: no exponent, no trailing zeros, `0` for zero.
///
/// INVARIANT: `scale` is at most 13 and the number below 10^19, so that both its parts fit 64 bits.
pub(crate) fn canonical(minus: bool, mantissa: u128, scale: u32) -> String {
    let unit = 10_u64.saturating_pow(scale).into();
    let part = |part: Option<u128>| part.and_then(|part| u64::try_from(part).ok()).unwrap_or(u64::MAX);
    let (integer, fraction) = (part(mantissa.checked_div(unit)), part(mantissa.checked_rem(unit)));
    let mut text = String::with_capacity(DIGITS);
    if minus && mantissa != 0 {
        text.push('-');
    }
    push_digits(&mut text, integer, 1);
    if fraction != 0 {
        let (mut fraction, mut digits) = (fraction, scale);
        while fraction.is_multiple_of(10) {
            fraction = fraction.wrapping_div(10);
            digits = digits.saturating_sub(1);
        }
        text.push('.');
        push_digits(&mut text, fraction, digits);
    }
    text
}

/// Appends the digits of `value`, padded with zeros to `least` digits.
fn push_digits(text: &mut String, value: u64, least: u32) {
    let mut digits = [b'0'; DIGITS];
    let mut rest = value;
    let mut start = DIGITS;
    for (place, before) in digits.iter_mut().rev().zip(0..) {
        if rest == 0 && before >= least {
            break;
        }
        *place = b'0'.wrapping_add(u8::try_from(rest.wrapping_rem(10)).unwrap_or(0));
        rest = rest.wrapping_div(10);
        start = start.saturating_sub(1);
    }
    text.push_str(digits.get(start..).and_then(|digits| str::from_utf8(digits).ok()).unwrap_or_default());
}

/// The first 64 characters of a text from a request.
pub(crate) fn truncate(text: &str) -> String {
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
            (false, 1_000_000_000_000_000_000, 0, "1000000000000000000"),
            (false, 10_u128.pow(32) - 1, 13, "9999999999999999999.9999999999999"),
        ] {
            assert_eq!(canonical(minus, mantissa, scale), text);
        }
    }

    #[test]
    fn truncates_by_characters() {
        assert_eq!(truncate("abc"), "abc");
        assert_eq!(truncate(&"é".repeat(64)).chars().count(), 64);
        assert_eq!(truncate(&"é".repeat(65)).chars().count(), 64);
    }
}
