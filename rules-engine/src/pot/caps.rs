use super::{divided, of_units};
use crate::{
    constants::constants,
    money::{Normalized, Percent},
};

constants! {
    /// The day with which a week starts.
    pub enum WeekDay {
        /// Monday.
        Monday = "MONDAY",
        /// Tuesday.
        Tuesday = "TUESDAY",
        /// Wednesday.
        Wednesday = "WEDNESDAY",
        /// Thursday.
        Thursday = "THURSDAY",
        /// Friday.
        Friday = "FRIDAY",
        /// Saturday.
        Saturday = "SATURDAY",
        /// Sunday.
        Sunday = "SUNDAY",
    }
}

/// The limits of a book on what is given. They act on credits and take nothing.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Caps {
    /// A balance from which on only a part is given.
    pub soft: Option<Normalized>,
    /// The part that is given above `soft`, in percent; 0 unless it is given.
    pub soft_percent: Percent,
    /// A balance that nothing given exceeds. Who has more keeps it.
    pub hard: Option<Normalized>,
    /// What is given to one holder in a week, at most.
    pub weekly: Option<Normalized>,
}

impl Caps {
    /// What is left of a credit to a holder with this balance, to whom so much was given this week.
    #[must_use]
    pub fn admit(&self, asked: Normalized, balance: Normalized, given: Normalized) -> Normalized {
        let mut amount = asked.mantissa();
        let room = |most: Normalized, has: Normalized| most.mantissa().saturating_sub(has.mantissa()).max(0);
        if let Some(soft) = self.soft {
            let whole = amount.min(room(soft, balance));
            let rest = amount.saturating_sub(whole).saturating_mul(self.soft_percent.mantissa());
            amount = whole.saturating_add(divided(rest, HUNDRED));
        }
        if let Some(hard) = self.hard {
            amount = amount.min(room(hard, balance));
        }
        if let Some(weekly) = self.weekly {
            amount = amount.min(room(weekly, given));
        }
        of_units(amount)
    }
}

/// A whole in units of 10^-3 percent.
pub(super) const HUNDRED: i128 = 100_000;
