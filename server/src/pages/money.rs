//! Currencies and base units as page data.

use app::model::{BaseUnit, BidCurrency, Denomination};
use auction_house::auctions;
use auction_house::currencies::{self, Currency};
use auction_house::engine::{BidForm, EnteredCount, ItemTerms, RuleSet};
use auction_house::ids::CurrencyId;
use auction_house::items::LegacyPrice;
use auction_house::items::price::legacy_profile;
use auction_house::usage::WrittenIn;
use iso_currency::Currency as IsoCurrency;

use super::money_style::MoneyStyle;

/// The unit in which bids are compared: the auction's base unit, or the ISO currency of a legacy item.
/// `price_in` is the currency of the bid whose amount is written.
pub fn unit_of_bids(
    unit: Option<&auctions::BaseUnit>,
    currencies: &[Currency],
    price_in: Option<CurrencyId>,
    legacy: Option<IsoCurrency>,
    style: MoneyStyle,
) -> BaseUnit {
    match legacy {
        Some(currency) => BaseUnit {
            name: currency.code().to_owned(),
            plural: None,
            symbol: currency.symbol().to_string(),
            zero: Some(style.zero(currency)),
            written_in: None,
        },
        None => {
            let written_in = currencies.iter().find(|currency| Some(currency.id) == price_in);
            let written_in = written_in.or_else(|| default_currency(currencies));
            BaseUnit { written_in: written_in.map(boxed), ..base_unit(unit) }
        }
    }
}

/// The base unit of an auction.
pub fn base_unit(unit: Option<&auctions::BaseUnit>) -> BaseUnit {
    let unit = unit.map(|unit| BaseUnit {
        name: unit.name.clone(),
        plural: unit.plural.clone(),
        symbol: unit.symbol.clone(),
        zero: None,
        written_in: None,
    });
    unit.unwrap_or_default()
}

/// The base unit of an auction, whose amounts are written in the pieces of its default currency.
pub fn unit_in_pieces(unit: Option<&auctions::BaseUnit>, currencies: &[Currency]) -> BaseUnit {
    BaseUnit { written_in: default_currency(currencies).map(boxed), ..base_unit(unit) }
}

/// The currencies of an auction, the default first.
pub fn default_first(currencies: &[Currency]) -> Vec<BidCurrency> {
    let (default, others): (Vec<_>, Vec<_>) = currencies.iter().partition(|currency| currency.is_default);
    default.into_iter().chain(others).cloned().map(bid_currency).collect()
}

/// The default currency, or the first without one.
fn default_currency(currencies: &[Currency]) -> Option<&Currency> {
    currencies.iter().find(|currency| currency.is_default).or(currencies.first())
}

fn boxed(currency: &Currency) -> Box<BidCurrency> {
    Box::new(bid_currency(currency.clone()))
}

/// The base unit of a book, whose amounts are written in the pieces of a currency of its auctions.
pub fn unit_of_book(unit: &auctions::BaseUnit, written_in: Option<&WrittenIn>) -> BaseUnit {
    let boxed = |currency: &WrittenIn| {
        let definition = &currency.definition;
        Box::new(BidCurrency {
            profile_id: Some(definition.id.clone()),
            name: currency.name.clone(),
            plural: currency.plural.clone(),
            symbol: currency.symbol.clone(),
            input_mode: definition.input_mode,
            rate_to_base: definition.rate_to_base.clone(),
            precision: definition.precision,
            fraction_policy: definition.fraction_policy,
            denominations: currency.pieces.iter().cloned().map(denomination).collect(),
        })
    };
    BaseUnit { written_in: written_in.map(boxed), ..base_unit(Some(unit)) }
}

/// A currency profile as a bid form shows it.
pub fn bid_currency(currency: Currency) -> BidCurrency {
    BidCurrency {
        profile_id: Some(currency.id.to_string()),
        name: currency.name,
        plural: currency.plural,
        symbol: currency.symbol,
        input_mode: currency.input_mode,
        rate_to_base: currency.rate_to_base.into(),
        precision: currency.precision,
        fraction_policy: currency.fraction_policy,
        denominations: currency.denominations.into_iter().map(denomination).collect(),
    }
}

/// The ISO currency of a legacy item as a bid form shows it.
pub fn legacy_bid_currency(price: &LegacyPrice) -> BidCurrency {
    let profile = legacy_profile(price);
    BidCurrency {
        profile_id: None,
        name: profile.id,
        plural: None,
        symbol: price.currency.symbol().to_string(),
        input_mode: profile.input_mode,
        rate_to_base: profile.rate_to_base,
        precision: profile.precision,
        fraction_policy: profile.fraction_policy,
        denominations: Vec::new(),
    }
}

/// Name of each denomination and its value in base units. A currency without denominations has one entry with
/// an empty name.
pub fn values(currency: &Currency) -> Vec<(String, String)> {
    if currency.denominations.is_empty() {
        return vec![(String::new(), currency.rate_to_base.clone())];
    }
    let rules = RuleSet::compile(&currency.definition(), &[], &ItemTerms::default());
    let value = |code: &str| value_of_one(rules.as_ref().ok()?, code);
    let named = currency.denominations.iter();
    named.filter_map(|denomination| Some((denomination.name.clone(), value(&denomination.code)?))).collect()
}

/// The value of one of a denomination in base units, as the engine computes it in a bid.
fn value_of_one(rules: &RuleSet, code: &str) -> Option<String> {
    let one = EnteredCount { denomination: code.to_owned(), count: "1".into() };
    let bid = BidForm { amount: None, entered_representation: Some(vec![one]) };
    rules.normalize(&bid).ok().map(|(_, value)| value.to_string())
}

/// A denomination as a bid form shows it.
fn denomination(denomination: currencies::Denomination) -> Denomination {
    let currencies::Denomination { code, name, plural, symbol, factor, written } = denomination;
    Denomination { code, name, plural, symbol, factor: factor.into(), written }
}
