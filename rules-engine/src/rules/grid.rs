//! Amounts at equal distances, for conditions that accept only some amounts.

/// Multiples of one amount, in units of 10^-13.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Grid {
    /// The distance between neighbours. Above zero.
    pub(crate) step: u128,
    /// The grid ends below this amount.
    pub(crate) end: u128,
}

impl Grid {
    /// All amounts.
    pub(crate) const ANY: Self = Self::of(1);

    /// All multiples of `step`.
    pub(crate) const fn of(step: u128) -> Self {
        Self { step, end: u128::MAX }
    }

    /// One amount alone, up to it.
    pub(crate) const fn only(amount: u128) -> Self {
        Self { step: amount, end: amount.saturating_add(1) }
    }

    /// The amounts that are on both grids.
    pub(crate) fn and(self, other: Self) -> Self {
        let end = self.end.min(other.end);
        let step = if self.step.is_multiple_of(other.step) {
            self.step
        } else if other.step.is_multiple_of(self.step) {
            other.step
        } else {
            // INVARIANT: a common multiple that does not fit 128 bits is above every bound, and so is what
            // replaces it.
            let times = self.step.checked_div(common_divisor(self.step, other.step)).unwrap_or(u128::MAX);
            times.saturating_mul(other.step)
        };
        Self { step, end }
    }
}

/// The smallest amount from `least` to `most` that is on the grid that applies to it; none if there is none.
pub(crate) fn align(most: u128, least: u128, grid_at: &dyn Fn(u128) -> Grid) -> Option<u128> {
    let mut least = least;
    while least <= most {
        let Grid { step, end } = grid_at(least);
        let first = least.checked_next_multiple_of(step)?;
        if first < end {
            return (first <= most).then_some(first);
        }
        least = end;
    }
    None
}

/// The greatest common divisor.
pub(crate) fn common_divisor(mut a: u128, mut b: u128) -> u128 {
    while let Some(rest) = a.checked_rem(b) {
        (a, b) = (b, rest);
    }
    a
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bounds::MAX_NORMALIZED;

    /// 10^15, as a rule's amounts are kept.
    const MOST: u128 = MAX_NORMALIZED.magnitude();

    #[test]
    fn a_number_that_fits_no_bits_is_no_multiple() {
        let huge = Grid::of(10_u128.pow(28) - 1).and(Grid::of(10_u128.pow(28)));
        assert!(huge.step > MAX_NORMALIZED.magnitude());
        let all = [7, 1, 2, 10_u128.pow(28), 3].map(Grid::of);
        assert!(all.into_iter().fold(huge, Grid::and).step > MAX_NORMALIZED.magnitude());
        assert_eq!(align(MOST, 1, &|_| huge), None);
    }

    #[test]
    fn both_grids_meet_at_their_least_common_multiple() {
        let both = Grid { step: 6, end: 40 }.and(Grid { step: 10, end: 50 });
        assert_eq!((both.step, both.end), (30, 40));
        assert_eq!(align(MOST, 1, &|_| both), Some(30));
    }

    #[test]
    fn the_next_grid_applies_from_its_first_amount_on() {
        let grid_at = |value| if value < 10 { Grid { step: 7, end: 10 } } else { Grid::of(5) };
        let aligned = [0, 1, 7, 8, 10, 11].map(|least| align(MOST, least, &grid_at));
        assert_eq!(aligned, [0, 7, 7, 10, 10, 15].map(Some));
    }

    #[test]
    fn the_last_amount_is_the_bound() {
        let most = MAX_NORMALIZED.magnitude();
        assert_eq!(align(MOST, most - 1, &|_| Grid::of(10)), Some(most));
        assert_eq!(align(MOST, most + 1, &|_| Grid::ANY), None);
        assert_eq!(align(MOST, most - 1, &|_| Grid::of(most - 2)), None);
    }
}
