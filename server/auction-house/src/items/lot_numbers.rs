//! Lot numbers for many new items of an auction.

use std::collections::{BTreeSet, HashSet};

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
}
