//! Lot numbers for many new items of an auction.

use std::collections::{BTreeSet, HashMap, HashSet};

use platform::db::{Connection, DbError};
use rules_engine::LotNumber;

use super::store;
use crate::ids::{AuctionId, ItemId};

/// The item with the lot number that was typed, without regard to case.
pub async fn item_with_number(
    conn: &mut Connection,
    auction_id: AuctionId,
    typed: &str,
) -> Result<Option<ItemId>, DbError> {
    let Ok(number) = typed.trim().parse::<LotNumber>() else { return Ok(None) };
    let found = store::with_keys(conn, auction_id, std::iter::once(number.sort_key())).await?;
    Ok(found.into_iter().next())
}

/// The lot numbers of an auction that are taken.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct LotNumbers {
    keys: HashSet<String>,
    integers: BTreeSet<i64>,
}

impl LotNumbers {
    /// Lot numbers of an auction, which is locked until new items have theirs.
    pub async fn of_auction(conn: &mut Connection, auction_id: AuctionId) -> Result<Self, DbError> {
        let mut numbers = Self::default();
        for (key, integer) in store::numbers(conn, auction_id).await? {
            numbers.keys.insert(key);
            numbers.integers.extend(integer);
        }
        Ok(numbers)
    }

    /// Takes a number. False if it is taken already.
    pub fn take(&mut self, number: &LotNumber) -> bool {
        let is_free = self.keys.insert(number.sort_key());
        if is_free {
            self.integers.extend(number.integer());
        }
        is_free
    }

    /// The key of the one number that is the same as another without the zeros before it: a spreadsheet makes
    /// 7 of 007. A number that is taken itself has its own key.
    pub fn same_without_zeros(&self) -> SameWithoutZeros<'_> {
        let mut keys = HashMap::new();
        for key in &self.keys {
            keys.entry(without_zeros(key)).and_modify(|only| *only = None).or_insert(Some(key.as_str()));
        }
        SameWithoutZeros { taken: &self.keys, keys }
    }

    /// Takes the integer after the greatest one, or once that is past the bound the least one that is free.
    /// None if all are taken.
    pub fn take_next(&mut self) -> Option<LotNumber> {
        let after_all = self.integers.last().map_or(1, |greatest| greatest + 1);
        let next = if after_all <= LotNumber::MAX_INTEGER {
            after_all
        } else {
            (1..).zip(&self.integers).find(|(place, taken)| place != *taken)?.0
        };
        let number = next.to_string().parse().ok()?;
        self.take(&number);
        Some(number)
    }
}

/// Taken numbers, found without regard to the zeros before them.
#[derive(Debug)]
pub struct SameWithoutZeros<'n> {
    taken: &'n HashSet<String>,
    /// None if several numbers differ in these zeros only.
    keys: HashMap<String, Option<&'n str>>,
}

impl SameWithoutZeros<'_> {
    /// The key of the taken number that is meant.
    pub fn find(&self, number: &LotNumber) -> Option<String> {
        let key = number.sort_key();
        if self.taken.contains(&key) {
            return Some(key);
        }
        self.keys.get(&without_zeros(&key)).copied().flatten().map(str::to_owned)
    }
}

/// The key of a number without the zeros before its first digits.
fn without_zeros(key: &str) -> String {
    match key.split_once(' ') {
        Some((digits, zeros)) if key.starts_with(|first: char| !first.is_ascii_alphabetic()) => {
            let others = zeros.get(1..).unwrap_or_default();
            match others.bytes().all(|count| count == b'0') {
                true => digits.to_owned(),
                false => format!("{digits} 0{others}"),
            }
        }
        _ => key.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_is_taken_once_and_the_next_one_follows_the_greatest() {
        let mut numbers = LotNumbers::default();
        let take = |numbers: &mut LotNumbers, text: &str| numbers.take(&text.parse().unwrap());
        let next = |numbers: &mut LotNumbers| numbers.take_next().map(|number| number.to_string());
        assert_eq!(next(&mut numbers).as_deref(), Some("1"));
        assert!(take(&mut numbers, "7") && take(&mut numbers, "KM-9") && take(&mut numbers, "8a"));
        assert!(!take(&mut numbers, "7") && !take(&mut numbers, "km-9") && !take(&mut numbers, "1"));
        assert_eq!(next(&mut numbers).as_deref(), Some("8"));
        assert!(take(&mut numbers, &LotNumber::MAX_INTEGER.to_string()));
        assert_eq!([next(&mut numbers), next(&mut numbers)].map(Option::unwrap), ["2", "3"]);
    }

    #[test]
    fn a_number_is_found_without_the_zeros_before_it_if_it_is_the_only_one() {
        let mut numbers = LotNumbers::default();
        for text in ["007", "8", "0012a", "05", "005", "KM-02", "0", "A", "01-02"] {
            numbers.take(&text.parse().unwrap());
        }
        let same = numbers.same_without_zeros();
        let key = |text: &str| text.parse::<LotNumber>().unwrap().sort_key();
        for (asked, found) in [
            ("7", Some("007")),
            ("07", Some("007")),
            ("008", Some("8")),
            ("12A", Some("0012a")),
            ("05", Some("05")),
            ("5", None),
            ("0005", None),
            ("KM-2", None),
            ("00", Some("0")),
            ("0A", None),
            ("1-02", Some("01-02")),
            ("1-2", None),
            ("9", None),
        ] {
            assert_eq!(same.find(&asked.parse().unwrap()), found.map(key), "{asked}");
        }
    }
}
