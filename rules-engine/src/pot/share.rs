use alloc::{format, string::String, vec::Vec};
use core::cmp::Reverse;

use super::{Cut, Ledger, Places, Receiver, RunError, caps::HUNDRED, divided, of_units, towards_zero, unit};
use crate::{bounds::MAX_NORMALIZED, constants::constants, money::Normalized};

constants! {
    /// The way of a share with what rounding leaves.
    pub enum Rest {
        /// It stays in the pot.
        Keep = "KEEP",
        /// One unit of the last digit more for the largest remainders.
        Spread = "SPREAD",
    }
}

/// What is shared.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ShareSource {
    /// The pot of the auction with this id.
    Auction(String),
    /// The pot of the item with this id.
    Item(String),
    /// An amount.
    Amount(Normalized),
}

/// A pot, or an amount, among holders.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Share {
    /// Fraction digits to which amounts are rounded.
    pub digits: u32,
    /// What is shared.
    pub source: ShareSource,
    /// Parts that some get first.
    pub cuts: Vec<Cut>,
    /// The receivers of what remains; none for everyone who is present.
    pub to: Option<Vec<Receiver>>,
    /// The way with what rounding leaves.
    pub rest: Rest,
}

impl Share {
    /// Gives the shares and returns what is kept.
    pub(super) fn compute(
        &self,
        places: &Places<'_>,
        ledger: &mut Ledger<'_>,
        pot: Option<Normalized>,
    ) -> Result<Normalized, RunError> {
        let pot = match self.source {
            ShareSource::Amount(amount) => Some(amount),
            ShareSource::Auction(_) | ShareSource::Item(_) => pot,
        };
        let pot = pot.unwrap_or_default().min(MAX_NORMALIZED);
        if pot <= Normalized::ZERO {
            return Err(RunError::PotEmpty);
        }
        let to = self.to.as_deref().unwrap_or_default();
        let cuts =
            places.find(self.cuts.iter().map(|cut| cut.holder.as_str()), |at| format!("cuts.{at}.holder"))?;
        let receivers =
            places.find(to.iter().map(|to| to.holder.as_str()), |at| format!("to.{at}.holder"))?;

        let unit = unit(self.digits);
        let total = pot.mantissa();
        let mut left = total;
        let mut given = 0_i128;
        for (holder, cut) in cuts.into_iter().zip(&self.cuts) {
            let part = divided(total.saturating_mul(cut.percent.mantissa()), HUNDRED);
            let part = towards_zero(part, unit);
            left = left.saturating_sub(part);
            given = given.saturating_add(ledger.credit(holder, of_units(part), self.digits)?.mantissa());
        }
        for (holder, units) in receivers.iter().zip(self.parts(to, left, unit, &receivers)) {
            let share = of_units(units.saturating_mul(unit));
            given = given.saturating_add(ledger.credit(*holder, share, self.digits)?.mantissa());
        }
        Ok(of_units(total.saturating_sub(given)))
    }

    /// How many units each receiver gets.
    fn parts(&self, to: &[Receiver], left: i128, unit: i128, places: &[usize]) -> Vec<i128> {
        let weights: i128 = to.iter().map(|to| i128::from(to.weight)).fold(0, i128::saturating_add);
        let whole = weights.saturating_mul(unit);
        let product = |to: &Receiver| left.saturating_mul(to.weight.into());
        let mut parts: Vec<i128> = to.iter().map(|to| divided(product(to), whole)).collect();
        if self.rest == Rest::Spread {
            let sum = parts.iter().copied().fold(0, i128::saturating_add);
            let units = usize::try_from(divided(left, unit).saturating_sub(sum)).unwrap_or(0);
            // The holders come in the order by which equal remainders are told apart.
            let mut order: Vec<(Reverse<i128>, usize, usize)> = to
                .iter()
                .zip(places)
                .enumerate()
                .map(|(at, (to, place))| (Reverse(product(to).checked_rem(whole).unwrap_or(0)), *place, at))
                .collect();
            order.sort_unstable();
            for (_, _, at) in order.into_iter().take(units) {
                if let Some(part) = parts.get_mut(at) {
                    *part = part.saturating_add(1);
                }
            }
        }
        parts
    }
}
