//! Numbers of people in a group.

use std::fmt;
use std::ops::RangeInclusive;
use std::str::FromStr;

use platform::db::Value;

/// 1–9999.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PersonNumber(u16);

/// The number is out of bounds, or the text is not a number.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("must be an integer from 1 to 9999")]
pub struct NotANumber;

impl PersonNumber {
    pub const BOUNDS: RangeInclusive<i64> = 1..=9_999;

    pub fn get(self) -> i64 {
        self.0.into()
    }

    /// The lowest numbers that are not among `taken`, which is in order.
    pub fn lowest_free(taken: &[Self]) -> impl Iterator<Item = Self> {
        let mut taken = taken.iter().peekable();
        let all = (1..=9_999).map(Self);
        all.filter(move |number| taken.next_if_eq(&number).is_none())
    }
}

impl TryFrom<i64> for PersonNumber {
    type Error = NotANumber;

    fn try_from(number: i64) -> Result<Self, NotANumber> {
        let within = Self::BOUNDS.contains(&number).then_some(number);
        within.and_then(|number| u16::try_from(number).ok()).map(Self).ok_or(NotANumber)
    }
}

impl FromStr for PersonNumber {
    type Err = NotANumber;

    fn from_str(text: &str) -> Result<Self, NotANumber> {
        text.trim().parse::<i64>().map_err(|_| NotANumber)?.try_into()
    }
}

impl fmt::Display for PersonNumber {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl From<PersonNumber> for Value {
    fn from(number: PersonNumber) -> Self {
        number.get().into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_lowest_free_number_comes_first() {
        let numbers =
            |list: &[i64]| list.iter().map(|n| PersonNumber::try_from(*n).unwrap()).collect::<Vec<_>>();
        let free = |taken: &[i64]| PersonNumber::lowest_free(&numbers(taken)).take(3).collect::<Vec<_>>();
        assert_eq!(free(&[]), numbers(&[1, 2, 3]));
        assert_eq!(free(&[1, 2, 4, 7]), numbers(&[3, 5, 6]));
        assert_eq!(free(&[2, 9999]), numbers(&[1, 3, 4]));
    }
}
