//! The question before an unusual bid, which may be mistyped. The page asks it once, the API never: “Place
//! bid” becomes a button that names the bid.

#[cfg(feature = "ssr")]
use rules_engine::BidForm;
use rules_engine::Normalized;

#[cfg(feature = "ssr")]
use crate::components::money::amount_in;
#[cfg(feature = "ssr")]
use crate::islands::items::evaluation::Evaluator;
#[cfg(feature = "ssr")]
use crate::islands::items::form_state::field_name;
#[cfg(feature = "ssr")]
use crate::model::BidFormData;

/// A bid of so many times the least bid is unusual.
const UNUSUAL_TIMES: i128 = 5;

/// Name of the hidden field with the normalized amount that was asked about, so that a second press confirms
/// no other one.
pub const CONFIRMED: &str = "confirmed";
/// Element id of the button that places the bid.
pub const PLACE_ID: &str = "place-bid";

/// What is unusual about a bid that the rules accept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnusualBid {
    /// The normalized amount.
    pub amount: String,
    /// Why it is unusual.
    reason: UnusualReason,
}

/// Why a bid is unusual.
#[derive(Debug, Clone, PartialEq, Eq)]
enum UnusualReason {
    /// At least five times the least bid in the same currency: how many times, rounded down.
    TimesLeast { least: String, times: String, is_multiple: bool },
    /// More than half of what the bidder has available.
    HalfOf { available: String },
    /// The bidder leads already.
    OwnLead,
}

impl UnusualBid {
    /// Absent if the bid is less than five times the least one, at most half of what is available, and does
    /// not raise the bidder's own (`leads`).
    pub fn of(
        bid: Normalized,
        least: Option<Normalized>,
        available: Option<Normalized>,
        leads: bool,
    ) -> Option<Self> {
        let reason = least
            .and_then(|least| UnusualReason::times(bid, least))
            .or_else(|| available.and_then(|available| UnusualReason::half_of(bid, available)))
            .or(leads.then_some(UnusualReason::OwnLead))?;
        Some(Self { amount: bid.to_string(), reason })
    }

    /// A sentence that says why the bid is unusual, with amounts in words.
    pub fn sentence(&self, words: impl Fn(&str) -> String) -> String {
        let unusual = match &self.reason {
            UnusualReason::TimesLeast { least, times, is_multiple } => {
                let more = if *is_multiple { "" } else { "more than " };
                format!("{more}{times} times the least bid of {}", words(least))
            }
            UnusualReason::HalfOf { available } => {
                format!("more than half of the {} that you have available", words(available))
            }
            UnusualReason::OwnLead => return "You lead already: this raises your own bid.".to_owned(),
        };
        format!("This is {unusual}.")
    }
}

impl UnusualReason {
    fn times(bid: Normalized, least: Normalized) -> Option<Self> {
        let (bid_units, least_units) = (bid.mantissa(), least.mantissa());
        let times = bid_units.checked_div(least_units).filter(|times| *times >= UNUSUAL_TIMES)?.to_string();
        let is_multiple = bid_units.checked_rem(least_units) == Some(0);
        Some(Self::TimesLeast { least: least.to_string(), times, is_multiple })
    }

    fn half_of(bid: Normalized, available: Normalized) -> Option<Self> {
        let is_more = bid.mantissa().saturating_mul(2) > available.mantissa();
        is_more.then(|| Self::HalfOf { available: available.to_string() })
    }
}

/// The bid of a submitted form, and as a sentence why the form asks before the bid is placed.
/// `fields` are the names and values that it was submitted with, `highest` is the highest bid in base units,
/// which is the bidder's own if they lead (`leads`). None without a currency.
#[cfg(feature = "ssr")]
pub fn submitted(
    data: &BidFormData,
    highest: Option<&str>,
    leads: bool,
    fields: &[(String, String)],
) -> Option<(BidForm, Option<String>)> {
    let value = |name: &str| fields.iter().find(|(field, _)| field == name).map(|(_, value)| value.as_str());
    let named = value("currencyProfileId").filter(|id| !id.is_empty());
    let at = data.currencies.iter().position(|currency| currency.profile_id.as_deref() == named);
    let evaluator = Evaluator::all(data).into_iter().nth(at.unwrap_or(data.selected))?;
    let text = |slot| value(&field_name(&evaluator.currency, slot)).unwrap_or_default().to_owned();
    let typed: Vec<_> = (0..evaluator.fields()).map(text).collect();
    let unusual = evaluator.evaluate(&typed, highest, data.available.as_deref(), leads).unusual;
    let unconfirmed = unusual.filter(|unusual| value(CONFIRMED) != Some(unusual.amount.as_str()));
    let question = unconfirmed.map(|it| it.sentence(|amount| amount_in(amount, &data.base_unit)));
    Some((evaluator.bid(&typed), question))
}

#[cfg(test)]
mod tests {
    use super::UnusualBid;

    fn unusual(bid: &str, least: &str) -> Option<UnusualBid> {
        UnusualBid::of(bid.parse().expect("a bid"), Some(least.parse().expect("a least bid")), None, false)
    }

    #[test]
    fn five_times_the_least_bid_is_unusual_to_the_last_digit() {
        assert_eq!(unusual("1250", "250").map(|it| it.amount).as_deref(), Some("1250"));
        assert_eq!(unusual("1249.9999999999999", "250"), None);
        assert!(unusual("1000000000000000", "0.0000000000001").is_some(), "the largest ratio");
        assert_eq!(unusual("5", "0"), None, "there is no least bid");
    }

    #[test]
    fn the_sentence_is_true() {
        let words = |amount: &str| format!("{amount}\u{a0}Knuts");
        let sentence = |bid| unusual(bid, "250").map(|it| it.sentence(words));
        let multiple = "This is 20 times the least bid of 250\u{a0}Knuts.";
        assert_eq!(sentence("5000").as_deref(), Some(multiple));
        let rounded = "This is more than 20 times the least bid of 250\u{a0}Knuts.";
        assert_eq!(sentence("5000.5").as_deref(), Some(rounded));
        let of_available = |bid: &str, least| {
            let (bid, available) = (bid.parse().expect("a bid"), "300".parse().ok());
            UnusualBid::of(bid, least, available, false).map(|it| it.sentence(words))
        };
        let half = "This is more than half of the 300\u{a0}Knuts that you have available.";
        assert_eq!(of_available("150.1", None).as_deref(), Some(half));
        assert_eq!(of_available("150", None), None);
        assert_eq!(of_available("200", "100".parse().ok()).as_deref(), Some(half));
        assert!(of_available("500", "100".parse().ok()).is_some_and(|it| it.starts_with("This is 5 times")));
        let raised = UnusualBid::of("260".parse().expect("a bid"), "250".parse().ok(), None, true);
        let own = "You lead already: this raises your own bid.";
        assert_eq!(raised.map(|it| it.sentence(words)).as_deref(), Some(own));
    }
}
