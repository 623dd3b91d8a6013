//! The steps of all units that reach a range of amounts: those of the least value, or the fewest.
//!
//! Branch and bound: a branch takes so many of the largest unit, most first, and ends where even the next
//! unit alone would need more than the best steps so far. Its work is bounded by [`Search::visits`].

use super::{
    Amounts,
    fill::{Steps, Unit},
};

/// Steps that were found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Found {
    pub(super) value: u128,
    /// The total number of steps.
    pub(super) count: u128,
    pub(super) steps: Steps,
}

/// What comes first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Aim {
    /// The least value.
    Value,
    /// The fewest steps, and of these the least value.
    Count,
}

/// A search over units whose values fall.
pub(super) struct Search<'a> {
    pub(super) amounts: &'a Amounts<'a>,
    pub(super) units: &'a [Unit],
    /// Branches that may still be entered.
    pub(super) visits: u32,
}

/// One range of amounts, with the best of it so far.
struct Range {
    low: u128,
    high: u128,
    aim: Aim,
    best: Option<Found>,
}

impl Search<'_> {
    /// The best steps with an acceptable value from `low` to `high`, with `start` among them. `best` is known
    /// already. If no visits are left afterwards, there may be better ones.
    pub(super) fn run(
        &mut self,
        start: Found,
        (low, high): (u128, u128),
        aim: Aim,
        best: Option<Found>,
    ) -> Option<Found> {
        let mut range = Range { low, high, aim, best };
        self.branch(self.units, start, &mut range);
        range.best
    }

    fn branch(&mut self, units: &[Unit], had: Found, range: &mut Range) {
        let Some((unit, smaller)) = units.split_first() else { return };
        let Some(next) = smaller.first() else {
            return self.last(unit, had, range);
        };
        let Some(room) = range.high.checked_sub(had.value) else { return };
        let mut count = room.checked_div(unit.value).unwrap_or(0).min(unit.limit);
        if self.amounts.are_all_accepted() {
            // More would only add value and steps.
            count = count.min(range.low.saturating_sub(had.value).div_ceil(unit.value));
        }
        loop {
            if self.visits == 0 {
                return;
            }
            self.visits = self.visits.saturating_sub(1);
            let with = had.and(unit, count);
            let rest = range.low.saturating_sub(with.value);
            let worse = range.cannot_improve(with.count.saturating_add(rest.div_ceil(next.value)));
            if !worse && with.value <= range.high {
                self.branch(smaller, with, range);
            }
            // With less of this unit the rest takes as many of smaller ones at least.
            if count == 0 || (worse && rest > 0) || range.is_optimal() {
                return;
            }
            count = count.saturating_sub(1);
        }
    }

    /// Fills up with the smallest unit.
    fn last(&mut self, unit: &Unit, had: Found, range: &mut Range) {
        let mut aim = range.low.max(had.value);
        while aim <= range.high && self.visits > 0 {
            self.visits = self.visits.saturating_sub(1);
            let with = had.and(unit, aim.saturating_sub(had.value).div_ceil(unit.value));
            let taken = with.count.saturating_sub(had.count);
            let Some(accepted) = self.amounts.next(with.value) else { return };
            if taken > unit.limit || with.value > range.high {
                return;
            }
            if accepted == with.value {
                return range.keep(with);
            }
            aim = accepted;
        }
    }
}

impl Found {
    /// With so many more of one unit.
    fn and(mut self, unit: &Unit, count: u128) -> Self {
        if let Some(steps) = self.steps.get_mut(unit.index) {
            *steps = steps.saturating_add(count);
        }
        self.value = self.value.saturating_add(unit.value.saturating_mul(count));
        self.count = self.count.saturating_add(count);
        self
    }
}

impl Range {
    fn keep(&mut self, found: Found) {
        let better = self.best.is_none_or(|best| match self.aim {
            Aim::Value => found.value < best.value,
            Aim::Count => (found.count, found.value) < (best.count, best.value),
        });
        if better {
            self.best = Some(found);
        }
        if better && self.aim == Aim::Value {
            self.high = found.value.saturating_sub(1);
        }
    }

    /// Whether steps with a total of at least `count` are no better than the best.
    fn cannot_improve(&self, count: u128) -> bool {
        self.aim == Aim::Count
            && self
                .best
                .is_some_and(|best| count > best.count || (count == best.count && best.value <= self.low))
    }

    /// Whether nothing can be better than the best.
    fn is_optimal(&self) -> bool {
        self.aim == Aim::Value && self.best.is_some_and(|best| best.value <= self.low)
    }
}
