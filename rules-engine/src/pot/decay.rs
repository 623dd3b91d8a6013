use alloc::{format, string::String, vec::Vec};

use super::{Ledger, Places, RunError, caps::HUNDRED, divided, of_units, towards_zero, unit};
use crate::{
    constants::constants,
    money::{Normalized, Percent},
};

constants! {
    /// The amount of which a decay takes its percentage.
    pub enum Base {
        /// The part of a balance over the floor.
        Above = "ABOVE",
        /// The whole balance, as far as it stays at the floor or above.
        Whole = "WHOLE",
    }
}

constants! {
    /// The way of a decay with balances below zero.
    pub enum Debts {
        /// They stay.
        Leave = "LEAVE",
        /// The percentage of them is forgiven.
        Shrink = "SHRINK",
    }
}

/// All holders, or these.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Everyone {
    /// All, in their order.
    All,
    /// The holders with these ids.
    Some(Vec<String>),
}

/// A percentage that is taken of what holders have.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Decay {
    /// Fraction digits to which amounts are rounded.
    pub digits: u32,
    /// Above 0, at most 100.
    pub percent: Percent,
    /// A balance that no decay crosses.
    pub floor: Normalized,
    /// The amount of which the percentage is taken.
    pub base: Base,
    /// The way with debts.
    pub debts: Debts,
    /// The holders.
    pub to: Everyone,
    /// A text such as `2026-W48`, for which a book decays once.
    pub period: Option<String>,
}

impl Decay {
    pub(super) fn compute(
        &self,
        places: &Places<'_>,
        ledger: &mut Ledger<'_>,
    ) -> Result<Normalized, RunError> {
        for holder in self.to.places(places, ledger)? {
            ledger.change(holder, self.of(ledger.now(holder).0))?;
        }
        Ok(Normalized::ZERO)
    }

    /// The change of a balance.
    fn of(&self, balance: Normalized) -> Normalized {
        let (has, floor) = (balance.mantissa(), self.floor.mantissa());
        let part = |of: i128| divided(of.saturating_mul(self.percent.mantissa()), HUNDRED);
        let above = has.saturating_sub(floor);
        let change = if above > 0 {
            match self.base {
                Base::Above => part(above),
                Base::Whole => part(has).min(above),
            }
            .saturating_neg()
        } else if has < 0 && self.debts == Debts::Shrink {
            part(has).saturating_neg()
        } else {
            0
        };
        of_units(towards_zero(change, unit(self.digits)))
    }
}

impl Everyone {
    /// The places of the holders.
    pub(super) fn places(&self, places: &Places<'_>, ledger: &Ledger<'_>) -> Result<Vec<usize>, RunError> {
        match self {
            Self::All => Ok((0..ledger.now.len()).collect()),
            Self::Some(ids) => places.find(ids.iter().map(String::as_str), |at| format!("to.{at}")),
        }
    }
}
