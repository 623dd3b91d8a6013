//! A bid as text, in the names of its currency.

use app::components::money::in_words;
use app::model::{BaseUnit, BidCurrency, CurrencyNames};
use auction_house::engine::{BidForm, EnteredCount};

/// Names of a currency, for the text of bids in it.
pub fn names(currency: &BidCurrency) -> CurrencyNames {
    CurrencyNames {
        profile_id: currency.profile_id.clone(),
        name: currency.name.clone(),
        plural: currency.plural.clone(),
        symbol: currency.symbol.clone(),
        denominations: currency.denominations.clone(),
    }
}

/// The entered representation as text.
pub fn entered_in_words(currency: &CurrencyNames, unit: &BaseUnit, entered: &BidForm) -> String {
    let counts = entered.entered_representation.iter().flatten();
    let counts = counts.map(|entry: &EnteredCount| (entry.denomination.as_str(), entry.count.as_str()));
    in_words(currency, unit, entered.amount.as_ref().map(|amount| amount.as_str()), counts)
}
