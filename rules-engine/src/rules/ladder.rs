//! Ladders: values that repeat in each decade, ten times as large.

use alloc::{format, vec::Vec};

use super::{grid::Grid, step::parse_step};
use crate::{bounds::MAX_LADDER, definition::DefinitionErrors, shape::Text};

/// The values of the first decade, strictly rising, in units of 10^-13.
///
/// INVARIANT: there is one at least, and the last is below ten times the first.
#[derive(Clone, Debug)]
pub(crate) struct Ladder(Vec<u128>);

impl Ladder {
    /// Reads 1–64 values.
    pub(super) fn parse(values: &[Text], errors: &mut DefinitionErrors) -> Option<Self> {
        if !(1..=MAX_LADDER).contains(&values.len()) {
            errors.add("params.ladder", "must be 1 to 64");
            return None;
        }
        let mut read: Vec<u128> = Vec::new();
        for (at, text) in values.iter().enumerate() {
            let path = format!("params.ladder.{at}");
            let Some(value) = errors.read(&path, parse_step(text)) else { continue };
            match (read.first(), read.last()) {
                (_, Some(before)) if value <= *before => errors.add(&path, "must be above the value before"),
                (Some(first), _) if value >= first.saturating_mul(10) => {
                    errors.add(&path, "must be below ten times the first");
                }
                _ => {}
            }
            read.push(value);
        }
        Some(Self(read))
    }

    /// The smallest amount from `least` on that is below the first value or a value of any decade.
    pub(super) fn next(&self, least: u128) -> u128 {
        let first = self.0.first().copied().unwrap_or(0);
        if least < first || first == 0 {
            return least;
        }
        // INVARIANT: an amount is at most 10^15, so that the decade above it fits 128 bits.
        let mut decade = 1_u128;
        let mut next = decade.saturating_mul(10);
        while first.saturating_mul(next) <= least {
            (decade, next) = (next, next.saturating_mul(10));
        }
        let above = self.0.partition_point(|value| value.saturating_mul(decade) < least);
        self.0.get(above).map_or(first.saturating_mul(next), |value| value.saturating_mul(decade))
    }

    /// Every amount below the first value; then the next value alone.
    pub(super) fn grid(&self, value: u128) -> Grid {
        match self.0.first() {
            Some(first) if value < *first => Grid { end: *first, ..Grid::ANY },
            _ => Grid::only(self.next(value)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::grid::align;

    #[test]
    fn values_repeat_in_each_decade() {
        let ladder = Ladder(alloc::vec![10, 20, 50]);
        for (least, next) in [
            (1, 1),
            (9, 9),
            (10, 10),
            (11, 20),
            (50, 50),
            (51, 100),
            (101, 200),
            (999, 1_000),
            (5_000_001, 10_000_000),
        ] {
            assert_eq!(ladder.next(least), next, "{least}");
            assert_eq!(align(u128::MAX, least, &|value| ladder.grid(value)), Some(next), "{least}");
        }
    }
}
