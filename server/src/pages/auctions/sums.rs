//! Exact sums over sold items.

use std::collections::BTreeMap;

use app::components::money::{said, says_the_same};
use auction_house::engine::{Amount, BidForm, EnteredCount, Literal, Normalized};
use auction_house::ids::CurrencyId;
use auction_house::items::outcomes::SoldBid;
use auction_house::items::outcomes::results::ItemResult;
use iso_currency::Currency as IsoCurrency;

use super::results::summary::Totals;
use crate::pages::items::outcome_facts::Prices;
use crate::pages::items::sold_price::Money;

/// A sum that is too large to be added up exactly, in words.
const TOO_LARGE: &str = "more than 10^18";

/// A sold item, as far as sums need it.
#[derive(Debug, Clone, Copy)]
pub struct SoldItem<'a> {
    pub sold: &'a SoldBid,
    /// The currency of its price in a legacy auction.
    pub iso_currency: Option<IsoCurrency>,
    pub is_paid: bool,
    pub is_collected: bool,
}

impl<'a> SoldItem<'a> {
    /// The item, if it was sold.
    pub fn of(item: &'a ItemResult) -> Option<Self> {
        let &ItemResult { iso_currency, is_paid, is_collected, ref sold, .. } = item;
        Some(Self { sold: sold.as_ref()?, iso_currency, is_paid, is_collected })
    }
}

/// Exact sums over sold items. `None` stands for a sum that is too large.
#[derive(Debug, Default)]
pub struct Sums {
    pub items: usize,
    paid: usize,
    collected: usize,
    /// By the code of the ISO currency, which counts in a legacy auction only.
    money: BTreeMap<Option<&'static str>, (Option<IsoCurrency>, Option<Normalized>)>,
    promised: BTreeMap<Option<CurrencyId>, Pieces>,
}

/// Sums in one currency as bidders entered it: an amount, or counts in the order of their first entry, with
/// their value in base units.
#[derive(Debug)]
struct Pieces {
    value: Option<Normalized>,
    amount: Option<Option<Amount>>,
    counts: Vec<(String, Option<Amount>)>,
}

impl Sums {
    pub fn add(&mut self, item: SoldItem<'_>) {
        let sold = item.sold;
        self.items += 1;
        self.paid += usize::from(item.is_paid);
        self.collected += usize::from(item.is_collected);
        // Without a currency profile the bid is in the ISO currency of its item.
        let iso = item.iso_currency.filter(|_| sold.currency_id.is_none());
        let (_, sum) =
            self.money.entry(iso.map(|currency| currency.code())).or_insert((iso, Some(Normalized::ZERO)));
        *sum = sum.and_then(|sum| sum.checked_add(sold.normalized));
        if sold.currency_id.is_some() {
            self.promised.entry(sold.currency_id).or_default().add(&sold.entered, sold.normalized);
        }
    }

    pub fn in_words(&self, prices: &Prices<'_>) -> Totals {
        let text = |sum: Option<Normalized>| sum.map_or_else(|| TOO_LARGE.to_owned(), |sum| sum.to_string());
        let money: Vec<Money> = self
            .money
            .values()
            .map(|(iso, sum)| Money { amount: text(*sum), unit: prices.unit(None, *iso) })
            .collect();
        let promised: Vec<String> =
            self.promised.iter().map(|(id, pieces)| pieces.in_words(prices, *id)).collect();
        let is_plain = promised.len() == money.len()
            && promised
                .iter()
                .zip(&money)
                .all(|(words, sum)| says_the_same(words, &said(&sum.amount, &sum.unit)));
        Totals {
            items: self.items,
            paid: self.paid,
            collected: self.collected,
            promised: if is_plain { Vec::new() } else { promised },
            money,
        }
    }
}

impl Default for Pieces {
    fn default() -> Self {
        Self { value: Some(Normalized::ZERO), amount: None, counts: Vec::new() }
    }
}

impl Pieces {
    fn add(&mut self, entered: &BidForm, value: Normalized) {
        self.value = self.value.and_then(|sum| sum.checked_add(value));
        if let Some(amount) = &entered.amount {
            let sum = self.amount.get_or_insert(Some(Amount::ZERO));
            *sum = added(*sum, amount);
        }
        for EnteredCount { denomination, count } in entered.entered_representation.iter().flatten() {
            let at = self.counts.iter().position(|(code, _)| code == denomination);
            let at = at.unwrap_or_else(|| {
                self.counts.push((denomination.clone(), Some(Amount::ZERO)));
                self.counts.len() - 1
            });
            if let Some((_, sum)) = self.counts.get_mut(at) {
                *sum = added(*sum, count);
            }
        }
    }

    /// The fewest pieces that make the value of counts, so that 20 shillings are a pound, or else what was
    /// entered.
    fn in_words(&self, prices: &Prices<'_>, currency: Option<CurrencyId>) -> String {
        let pieces = || {
            let value = self.value.filter(|_| self.amount.is_none())?;
            said(&value.to_string(), &prices.unit(currency, None)).pieces
        };
        pieces().unwrap_or_else(|| prices.entered(currency, &self.form()))
    }

    fn form(&self) -> BidForm {
        let text = |sum: &Option<Amount>| {
            Literal::from(sum.map_or_else(|| TOO_LARGE.to_owned(), |sum| sum.to_string()))
        };
        let count = |(code, sum): &(String, Option<Amount>)| EnteredCount {
            denomination: code.clone(),
            count: text(sum),
        };
        BidForm {
            amount: self.amount.as_ref().map(text),
            entered_representation: (!self.counts.is_empty())
                .then(|| self.counts.iter().map(count).collect()),
        }
    }
}

fn added(sum: Option<Amount>, entered: &Literal) -> Option<Amount> {
    sum?.checked_add(Amount::parse(entered.as_str()).ok()?)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn counts(entries: &[(&str, &str)]) -> BidForm {
        let count = |(code, count): &(&str, &str)| EnteredCount {
            denomination: (*code).to_owned(),
            count: Literal::from(*count),
        };
        BidForm { amount: None, entered_representation: Some(entries.iter().map(count).collect()) }
    }

    #[test]
    fn pieces_are_added_up_by_denomination() {
        let mut pieces = Pieces::default();
        pieces.add(&counts(&[("GALLEON", "3"), ("KNUT", "7.5")]), Normalized::ZERO);
        pieces.add(&counts(&[("SICKLE", "2"), ("KNUT", "0.5")]), Normalized::ZERO);
        let form = pieces.form();
        assert_eq!(form, counts(&[("GALLEON", "3"), ("KNUT", "8"), ("SICKLE", "2")]));
    }

    #[test]
    fn a_sum_that_does_not_fit_is_never_rounded() {
        let mut pieces = Pieces::default();
        for _ in 0..2 {
            let amount = Some(Literal::from("999999999999999999"));
            pieces.add(&BidForm { amount, entered_representation: None }, Normalized::ZERO);
        }
        assert_eq!(pieces.form().amount, Some(Literal::from(TOO_LARGE)));
    }
}
