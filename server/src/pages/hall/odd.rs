//! The question before a price that is far from what a lot is expected to make, and may be mistyped.

use app::components::money::typed_price;
use app::model::BidCurrency;
use rules_engine::{BidForm, ItemTerms, Normalized, RuleSet};

/// Name of the hidden field with the lot and the price that the desk has asked about.
pub const ASKED: &str = "asked";

/// Reads amounts in a currency, without the rules of an auction.
pub struct UnruledAmounts {
    currency: BidCurrency,
    rules: RuleSet,
}

impl UnruledAmounts {
    /// None if the engine can't compile the currency.
    pub fn new(currency: BidCurrency) -> Option<Self> {
        let rules = RuleSet::compile(&currency.definition(), &[], &ItemTerms::default()).ok()?;
        Some(Self { currency, rules })
    }

    /// The value of a price in base units.
    pub fn worth(&self, price: &BidForm) -> Option<Normalized> {
        Some(self.rules.normalize(price).ok()?.1)
    }

    /// The lower and the upper amount of an estimate such as `£40–60`, or its only one twice.
    pub fn estimated(&self, estimate: &str) -> Option<(Normalized, Normalized)> {
        let amount = |text: &str| self.worth(&typed_price(&self.currency, text.trim()).ok()?);
        let parts = ["–", "—", " to ", "-", "/"].iter().find_map(|between| estimate.split_once(between));
        let (low, high) = parts.unwrap_or((estimate, estimate));
        let (low, high) = (amount(low)?, amount(high)?);
        (low <= high).then_some((low, high))
    }
}

#[cfg(test)]
mod tests {
    use rules_engine::{FractionPolicy, InputMode, Literal};

    use super::UnruledAmounts;
    use app::model::{BidCurrency, Denomination};

    #[test]
    fn an_estimate_has_two_amounts_or_one() {
        let piece = |code: &str, name: &str, symbol: &str, factor: &str| Denomination {
            code: code.to_owned(),
            name: name.to_owned(),
            plural: None,
            symbol: symbol.to_owned(),
            factor: factor.into(),
            written: true,
        };
        let pounds = UnruledAmounts::new(BidCurrency {
            profile_id: Some("p".to_owned()),
            name: "Pounds".to_owned(),
            plural: None,
            symbol: "£".to_owned(),
            input_mode: InputMode::Denomination,
            rate_to_base: Literal::from("1"),
            precision: 0,
            fraction_policy: FractionPolicy::Reject,
            denominations: vec![
                piece("POUND", "Pound", "£", "240"),
                piece("SHILLING", "Shilling", "s", "12"),
                piece("PENNY", "Penny", "d", "1"),
            ],
        })
        .expect("a currency");
        let of = |estimate| pounds.estimated(estimate).map(|(low, high)| [low.to_string(), high.to_string()]);
        for (estimate, low, high) in [
            ("£40–60", "9600", "14400"),
            ("40 - 60", "9600", "14400"),
            ("£1 2s to £1 5s", "264", "300"),
            ("1.2.6", "270", "270"),
        ] {
            assert_eq!(of(estimate), Some([low.to_owned(), high.to_owned()]), "{estimate}");
        }
        for estimate in ["on request", "60–40", "–", ""] {
            assert_eq!(of(estimate), None, "{estimate}");
        }
    }
}
