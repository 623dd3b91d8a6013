//! The fewest steps for every small amount, exactly.

use alloc::{vec, vec::Vec};

use super::{
    common_unit,
    fill::{Steps, Unit},
};
use crate::bounds::MAX_DENOMINATIONS;

/// Entries of a table times units, at most: a fraction of a millisecond's work.
const MAX_WORK: usize = 630_000;

/// The fewest steps for each multiple of the common unit, from 0 up to an amount.
pub(super) struct Table<'a> {
    units: &'a [Unit],
    common: u128,
    fewest: Vec<u32>,
}

/// No steps make the amount.
const NONE: u32 = u32::MAX;

impl<'a> Table<'a> {
    /// The table for amounts up to `most`; none if it would be too much work.
    pub(super) fn new(units: &'a [Unit], most: u128) -> Option<Self> {
        let common = common_unit(units);
        let entries = usize::try_from(most.checked_div(common)?).ok()?.checked_add(1)?;
        if entries.checked_mul(units.len())? > MAX_WORK {
            return None;
        }
        let mut fewest = vec![NONE; entries];
        *fewest.first_mut()? = 0;
        for unit in units {
            let width = usize::try_from(unit.value.checked_div(common)?).unwrap_or(usize::MAX);
            for at in width..entries {
                let before = fewest.get(at.saturating_sub(width)).copied().unwrap_or(NONE);
                if let Some(here) = fewest.get_mut(at) {
                    *here = before.saturating_add(1).min(*here);
                }
            }
        }
        Some(Self { units, common, fewest })
    }

    /// The largest amount of a table for these units.
    pub(super) fn largest(units: &[Unit]) -> u128 {
        let entries = MAX_WORK.checked_div(units.len()).unwrap_or(0).saturating_sub(1);
        common_unit(units).saturating_mul(u128::try_from(entries).unwrap_or(0))
    }

    /// The fewest steps that make exactly this amount.
    pub(super) fn fewest(&self, amount: u128) -> Option<u128> {
        if !amount.is_multiple_of(self.common) {
            return None;
        }
        let at = usize::try_from(amount.checked_div(self.common)?).ok()?;
        self.fewest.get(at).filter(|fewest| **fewest != NONE).map(|fewest| u128::from(*fewest))
    }

    /// These steps, of each unit as many as possible before the next.
    pub(super) fn steps(&self, amount: u128) -> Option<Steps> {
        let mut steps = [0_u128; MAX_DENOMINATIONS];
        let mut rest = amount;
        let mut count = self.fewest(rest)?;
        for unit in self.units {
            while let Some(less) = rest.checked_sub(unit.value)
                && count > 0
                && self.fewest(less) == count.checked_sub(1)
            {
                let taken = steps.get_mut(unit.index)?;
                *taken = taken.saturating_add(1);
                (rest, count) = (less, count.saturating_sub(1));
            }
        }
        Some(steps)
    }
}
