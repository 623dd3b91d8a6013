//! What lots are expected to make: a price that is far from it may be mistyped, and is asked about once.

use std::collections::HashMap;

use super::odd::UnruledAmounts;
use auction_house::bids::pricing::PricingRules;
use auction_house::engine::{BidForm, Normalized};
use auction_house::items::access::ItemView;
use auction_house::items::outcomes::results::AuctionResults;
use iso_currency::Currency as IsoCurrency;

use super::price::currency;
use crate::pages::form::Form;
use crate::pages::money::{default_first, legacy_bid_currency};

/// A price of so many times the upper expected one, or of such a part of the lower one, is asked about.
const FAR: i128 = 10;
/// Sales from which their mean says something.
const SOLD_MIN: i128 = 3;

/// The expected prices of the lots of an auction.
pub struct Expectations {
    /// The currency that estimates are written in. None in a legacy auction, whose items have their own.
    amounts: Option<UnruledAmounts>,
    /// The mean of the prices, by the currency of the items of a legacy auction.
    means: HashMap<Option<IsoCurrency>, Normalized>,
}

/// The prices of a lot about which the desk asks once.
#[derive(Debug, Clone)]
pub struct OddPrices {
    /// This one, and higher ones.
    pub high: Normalized,
    /// This one, and lower ones.
    pub low: Option<Normalized>,
    /// What the lot is expected to make, as a sentence with a blank behind it.
    pub sentence: String,
}

impl Expectations {
    pub fn new(pricing: &PricingRules, results: &AuctionResults) -> Self {
        let currency = default_first(pricing.currencies()).into_iter().next();
        let mut sums: HashMap<_, (i128, i128)> = HashMap::new();
        for result in &results.items {
            let Some(sold) = &result.sold else { continue };
            let iso_currency = result.iso_currency.filter(|_| currency.is_none());
            let (count, sum) = sums.entry(iso_currency).or_default();
            *count += 1;
            *sum = sum.saturating_add(sold.normalized.mantissa());
        }
        let mean = |(currency, (count, sum)): (_, (i128, i128))| {
            let mean = sum.checked_div(count).filter(|_| count >= SOLD_MIN)?;
            Some((currency, Normalized::from_mantissa(mean)?))
        };
        Self {
            amounts: currency.and_then(UnruledAmounts::new),
            means: sums.into_iter().filter_map(mean).collect(),
        }
    }

    /// What is odd for a lot: far from its estimate if that names amounts, else far above the mean of what
    /// was sold in its currency.
    pub fn of(&self, seen: &ItemView) -> Option<OddPrices> {
        let legacy = seen.legacy_price();
        let own = legacy.map(legacy_bid_currency).and_then(UnruledAmounts::new);
        let amounts = self.amounts.as_ref().or(own.as_ref())?;
        let estimate = seen.item.terms.estimate.as_deref();
        if let Some((text, (low, high))) = estimate.and_then(|text| Some((text, amounts.estimated(text)?))) {
            return Some(OddPrices {
                high: far_above(high)?,
                low: low.mantissa().checked_div(FAR).and_then(Normalized::from_mantissa),
                sentence: format!("The estimate is {text}. "),
            });
        }
        let iso_currency = legacy.map(|price| price.currency).filter(|_| self.amounts.is_none());
        let mean = self.means.get(&iso_currency)?;
        let sentence = "Lots went for much less so far. ".to_owned();
        Some(OddPrices { high: far_above(*mean)?, low: None, sentence })
    }

    /// The sentence about what a lot is expected to make, if the price of a form is odd.
    pub fn odd(
        &self,
        pricing: &PricingRules,
        seen: &ItemView,
        price: &BidForm,
        form: &Form,
    ) -> Option<String> {
        let odd = self.of(seen)?;
        let currency = currency(pricing, seen.legacy_price(), form)?;
        let price = UnruledAmounts::new(currency)?.worth(price)?;
        (price >= odd.high || odd.low.is_some_and(|low| price <= low)).then_some(odd.sentence)
    }
}

fn far_above(amount: Normalized) -> Option<Normalized> {
    amount.mantissa().checked_mul(FAR).and_then(Normalized::from_mantissa)
}
