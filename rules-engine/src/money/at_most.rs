//! The words about a number above its bound: with grouped digits, and what to do.

use alloc::{format, string::String};

/// Between groups of three digits: a blank that keeps the number on one line.
const GAP: char = '\u{a0}';
/// Digits of a bound from which on a larger unit helps: smaller ones are those of shares and percentages.
const LARGE: usize = 7;

/// A decimal with its integer digits in groups of three.
#[must_use]
pub fn grouped(number: &str) -> String {
    let end = number.find('.').unwrap_or(number.len());
    let mut text = String::new();
    let mut is_inside = false;
    for (at, character) in number.char_indices() {
        let after = end.saturating_sub(at);
        if is_inside && after > 0 && after.is_multiple_of(3) {
            text.push(GAP);
        }
        is_inside = at < end && character.is_ascii_digit();
        text.push(character);
    }
    text
}

/// The rest of a sentence about a number that is above `max`: `at most 1 000 000 …`.
#[must_use]
pub fn at_most(max: &str) -> String {
    format!("at most {}{}", grouped(max), instead(max))
}

/// Words about a member that is no decimal in a range: `must be a decimal above 0 and at most 1 000 000, …`.
/// The range begins with the words `range` and ends with `max`.
#[must_use]
pub fn decimal_in(range: &str, max: &str, digits: u32) -> String {
    let (most, instead) = (grouped(max), instead(max));
    match digits {
        0 => format!("must be a decimal {range}{most}, with no fraction digits{instead}"),
        _ => format!("must be a decimal {range}{most}, with at most {digits} fraction digits{instead}"),
    }
}

/// What to do with an amount above the bound.
fn instead(max: &str) -> &'static str {
    if max.len() < LARGE { "" } else { " (for more, use a larger unit, such as thousands)" }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn integer_digits_are_in_groups_of_three() {
        for (number, shown) in [
            ("0", "0"),
            ("-100", "-100"),
            ("999.12345", "999.12345"),
            ("1000", "1_000"),
            ("-12345.6789", "-12_345.6789"),
            ("1000000000000", "1_000_000_000_000"),
        ] {
            assert_eq!(grouped(number).replace(GAP, "_"), shown);
        }
    }

    #[test]
    fn a_large_bound_says_what_to_do() {
        let most = at_most("1000000000000").replace(GAP, " ");
        assert_eq!(most, "at most 1 000 000 000 000 (for more, use a larger unit, such as thousands)");
        assert_eq!(at_most("100"), "at most 100");
        let range = decimal_in("above 0 and at most ", "1", 4);
        assert_eq!(range, "must be a decimal above 0 and at most 1, with at most 4 fraction digits");
    }
}
