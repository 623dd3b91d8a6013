//! The amounts that all rules accept, whatever the counts.

use crate::rules::{
    RuleSet,
    condition::Condition,
    grid::{Grid, align},
};

/// The amounts up to `most` that are multiples of `common` and on the grid of every rule.
pub(super) struct Amounts<'a> {
    pub(super) rules: &'a RuleSet,
    /// The largest amount of which the value of every bid is a multiple.
    pub(super) common: u128,
    /// The greatest amount.
    pub(super) most: u128,
    all: bool,
}

impl<'a> Amounts<'a> {
    pub(super) fn new(rules: &'a RuleSet, common: u128, most: u128) -> Self {
        let mut conditions = rules.rules.iter().map(|rule| &rule.condition);
        Self { rules, common, most, all: conditions.all(|condition| !condition.has_grid()) }
    }

    /// Whether every multiple of `common` up to `most` is accepted.
    pub(super) fn are_all_accepted(&self) -> bool {
        self.all
    }

    /// The smallest of them from `least` on.
    pub(super) fn next(&self, least: u128) -> Option<u128> {
        self.next_of(self.common, least)
    }

    /// The smallest multiple of `unit` among them from `least` on.
    pub(super) fn next_of(&self, unit: u128, least: u128) -> Option<u128> {
        if self.all {
            return least.checked_next_multiple_of(unit).filter(|next| *next <= self.most);
        }
        let grid_at = |value| {
            let grids = self.rules.rules.iter().map(|rule| rule.condition.grid(value));
            grids.fold(Grid::of(unit), Grid::and)
        };
        align(self.most, least, &grid_at)
    }

    /// Whether an amount is one of them.
    pub(super) fn accept(&self, value: u128) -> bool {
        self.next_of(1, value) == Some(value)
    }
}
