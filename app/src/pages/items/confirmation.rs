//! The second confirmation of an unusual bid, which may be mistyped. The page asks for it, never the API.

use rules_engine::Normalized;

#[cfg(feature = "ssr")]
use crate::components::money::amount_in;
#[cfg(feature = "ssr")]
use crate::model::BidFormData;
#[cfg(feature = "ssr")]
use crate::pages::items::evaluation::Evaluator;
#[cfg(feature = "ssr")]
use crate::pages::items::form_state::field_name;

/// A bid of so many times the least bid is unusual.
const UNUSUAL_TIMES: i128 = 5;

/// Name of the checkbox. Its value is the normalized amount that it confirms, so that it confirms no other one.
pub const CONFIRMED: &str = "confirmed";
/// Element id of the checkbox.
pub const CONFIRMED_ID: &str = "bid-confirmed";

/// What is unusual about a bid that the rules accept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnusualBid {
    /// The normalized amount.
    pub amount: String,
    /// Normalized amount of the least bid in the same currency.
    pub least: String,
    /// How many times the least bid it is, rounded down.
    times: String,
    is_multiple: bool,
}

impl UnusualBid {
    /// Absent if the bid is less than five times the least one.
    pub fn of(bid: Normalized, least: Normalized) -> Option<Self> {
        let (bid_units, least_units) = (bid.mantissa(), least.mantissa());
        let times = bid_units.checked_div(least_units).filter(|times| *times >= UNUSUAL_TIMES)?.to_string();
        let is_multiple = bid_units.checked_rem(least_units) == Some(0);
        Some(Self { amount: bid.to_string(), least: least.to_string(), times, is_multiple })
    }

    /// The label of the checkbox. `least` is the least bid in words.
    pub fn question(&self, least: &str) -> String {
        let more = if self.is_multiple { "" } else { "more than " };
        format!("This is {more}{} times the least bid of {least}. Tick to place it anyway.", self.times)
    }
}

/// What the form has to confirm before its bid is placed, as a sentence. `fields` are the names and values that it was
/// submitted with, `highest` is the highest bid in base units.
#[cfg(feature = "ssr")]
pub fn unconfirmed(data: &BidFormData, highest: Option<&str>, fields: &[(String, String)]) -> Option<String> {
    let value = |name: &str| fields.iter().find(|(field, _)| field == name).map(|(_, value)| value.as_str());
    let named = value("currencyProfileId").filter(|id| !id.is_empty());
    let at = data.currencies.iter().position(|currency| currency.profile_id.as_deref() == named);
    let evaluator = Evaluator::all(data).into_iter().nth(at.unwrap_or(data.selected))?;
    let text = |slot| value(&field_name(&evaluator.currency, slot)).unwrap_or_default().to_owned();
    let typed: Vec<_> = (0..evaluator.fields()).map(text).collect();
    let unusual = evaluator.evaluate(&typed, highest).unusual?;
    let is_confirmed = value(CONFIRMED) == Some(unusual.amount.as_str());
    (!is_confirmed).then(|| unusual.question(&amount_in(&unusual.least, &data.base_unit)))
}

#[cfg(test)]
mod tests {
    use super::UnusualBid;

    fn unusual(bid: &str, least: &str) -> Option<UnusualBid> {
        UnusualBid::of(bid.parse().expect("a bid"), least.parse().expect("a least bid"))
    }

    #[test]
    fn five_times_the_least_bid_is_unusual_to_the_last_digit() {
        assert_eq!(unusual("1250", "250").map(|it| it.amount).as_deref(), Some("1250"));
        assert_eq!(unusual("1249.9999999999999", "250"), None);
        assert_eq!(unusual("0.5", "0.1").map(|it| it.least).as_deref(), Some("0.1"));
        assert!(unusual("1000000000000000", "0.0000000000001").is_some(), "the largest ratio");
        assert_eq!(unusual("5", "0"), None, "there is no least bid");
    }

    #[test]
    fn the_question_is_true() {
        let question = |bid| unusual(bid, "250").map(|it| it.question("250\u{a0}Knuts"));
        let multiple = "This is 20 times the least bid of 250\u{a0}Knuts. Tick to place it anyway.";
        assert_eq!(question("5000").as_deref(), Some(multiple));
        let rounded = "This is more than 20 times the least bid of 250\u{a0}Knuts. Tick to place it anyway.";
        assert_eq!(question("5000.5").as_deref(), Some(rounded));
    }
}
