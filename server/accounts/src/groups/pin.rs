//! PINs of managed users.

use std::str::FromStr;

use platform::random::{self, NoEntropy};
use platform::text::ascii_digits;

/// PINs that many people choose, besides those with a pattern.
const COMMON: [&str; 6] = ["1004", "1122", "1313", "2580", "0852", "159753"];
/// Years in which people are born, and those of today.
const YEARS: std::ops::RangeInclusive<u16> = 1940..=2039;

/// 4–8 digits that are not among the first guesses.
#[derive(Clone, PartialEq, Eq)]
pub struct Pin(String);

/// Why a text is not a PIN.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum NotAPin {
    #[error("must have 4 to 8 digits")]
    Form,
    #[error("is easily guessed: choose digits that do not repeat or follow each other, and no year")]
    Weak,
}

impl Pin {
    /// Six random digits.
    pub fn new() -> Result<Self, NoEntropy> {
        loop {
            // The bias of the remainder is below one in ten million millions.
            let drawn = u64::from_le_bytes(random::bytes()?) % 1_000_000;
            if let Ok(pin) = format!("{drawn:06}").parse() {
                return Ok(pin);
            }
        }
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }

    pub fn into_string(self) -> String {
        self.0
    }
}

/// Shows nothing of the secret.
impl std::fmt::Debug for Pin {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Pin")
    }
}

impl FromStr for Pin {
    type Err = NotAPin;

    fn from_str(text: &str) -> Result<Self, NotAPin> {
        let text = ascii_digits(text.trim());
        if !(4..=8).contains(&text.len()) || !text.bytes().all(|byte| byte.is_ascii_digit()) {
            return Err(NotAPin::Form);
        }
        if is_weak(&text) { Err(NotAPin::Weak) } else { Ok(Self(text)) }
    }
}

/// Whether the digits are one or two or more that repeat, a run up or down, also beyond 9 or 0, a year, or
/// common for another reason.
fn is_weak(pin: &str) -> bool {
    let digits = pin.as_bytes();
    let steps = |step: u8| {
        digits.windows(2).all(|pair| matches!(pair, [one, next] if (next + 10 - one) % 10 == step))
    };
    let repeats = |length: usize| {
        digits.len().is_multiple_of(length)
            && digits.chunks(length).all(|chunk| Some(chunk) == digits.get(..length))
    };
    let is_year = pin.len() == 4 && pin.parse().is_ok_and(|year| YEARS.contains(&year));
    [1, 9].into_iter().any(steps) || (1..=digits.len() / 2).any(repeats) || is_year || COMMON.contains(&pin)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pins_that_are_guessed_first_are_refused() {
        for weak in [
            "0000", "1111", "99999999", "1234", "4321", "123456", "12345678", "7890", "8901", "3210", "2109",
            "1212", "123123", "12341234", "2012", "1984", "2580",
        ] {
            assert_eq!(weak.parse::<Pin>(), Err(NotAPin::Weak), "{weak}");
        }
        assert_eq!("١٢٣٤".parse::<Pin>(), Err(NotAPin::Weak));
        assert_eq!("٤٧١١".parse::<Pin>(), "4711".parse());
        for other in ["", "123", "123456789", "12a4", "²²²²"] {
            assert_eq!(other.parse::<Pin>(), Err(NotAPin::Form), "{other}");
        }
        for good in ["0042", "4711", "112233", "246810", "135791", "1235", "12321", "1802"] {
            assert!(good.parse::<Pin>().is_ok(), "{good}");
        }
        assert!((0..1000).all(|_| !is_weak(Pin::new().unwrap().as_str())));
    }
}
