use super::{Everyone, Ledger, Places, RUN_DIGITS, RunError, rounded};
use crate::money::Normalized;

/// The same amount to each of some holders.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Grant {
    /// Fraction digits to which the amount is rounded. Without them it keeps its own, and what caps leave of
    /// it has as many, or 2.
    pub digits: Option<u32>,
    /// Below zero it is taken.
    pub amount: Normalized,
    /// The holders.
    pub to: Everyone,
}

impl Grant {
    pub(super) fn compute(
        &self,
        places: &Places<'_>,
        ledger: &mut Ledger<'_>,
    ) -> Result<Normalized, RunError> {
        let asked = self.digits.map_or(self.amount, |digits| rounded(self.amount, digits));
        let digits = self.digits.unwrap_or_else(|| self.amount.fraction_digits().max(RUN_DIGITS));
        for holder in self.to.places(places, ledger)? {
            if asked.is_negative() {
                ledger.change(holder, asked)?;
            } else {
                ledger.credit(holder, asked, digits)?;
            }
        }
        Ok(Normalized::ZERO)
    }
}
