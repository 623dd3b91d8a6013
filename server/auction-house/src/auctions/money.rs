//! The ordinary money of an auction, and what the auction is to bring in.

use std::fmt;
use std::str::FromStr;

use iso_currency::Currency as IsoCurrency;
use rules_engine::bounds::MAX_NORMALIZED;
use rules_engine::money::{Literal, Normalized, decimal_in};
use serde::{Deserialize, Serialize};

/// An ISO 4217 currency, written as its code.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct IsoCode(pub IsoCurrency);

impl FromStr for IsoCode {
    type Err = &'static str;

    fn from_str(code: &str) -> Result<Self, Self::Err> {
        IsoCurrency::from_code(code).map(Self).ok_or("must be an ISO 4217 code such as EUR")
    }
}

impl fmt::Display for IsoCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0.code())
    }
}

/// Sum that an auction is to bring in, in the unit in which its bids are compared: 0 < d ≤ 10^15, at most 13
/// fraction digits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "Literal", into = "Literal")]
pub struct Goal(Normalized);

impl Goal {
    /// `None` beyond the bounds.
    pub fn new(amount: Normalized) -> Option<Self> {
        (amount > Normalized::ZERO && amount <= MAX_NORMALIZED).then_some(Self(amount))
    }

    pub fn amount(self) -> Normalized {
        self.0
    }
}

impl TryFrom<Literal> for Goal {
    type Error = String;

    fn try_from(literal: Literal) -> Result<Self, String> {
        let amount = Normalized::parse(literal.as_str()).ok();
        amount
            .and_then(Self::new)
            .ok_or_else(|| decimal_in("above 0 and at most ", &MAX_NORMALIZED.to_string(), Normalized::SCALE))
    }
}

impl From<Goal> for Literal {
    fn from(goal: Goal) -> Self {
        goal.0.into()
    }
}

#[cfg(test)]
mod tests {
    use super::Goal;

    #[test]
    fn a_goal_is_an_exact_amount_above_zero() {
        for (text, read) in [
            ("500", Some("500")),
            ("\"12.50\"", Some("12.5")),
            ("0.1", Some("0.1")),
            ("0", None),
            ("-1", None),
            ("1000000000000000.1", None),
            ("\"much\"", None),
        ] {
            let goal: Option<Goal> = serde_json::from_str(text).ok();
            assert_eq!(goal.map(|goal| goal.amount().to_string()).as_deref(), read, "{text}");
        }
    }
}
