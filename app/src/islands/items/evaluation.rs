//! Evaluation of a bid while it is typed: by the engine, against the last known highest bid, without a
//! request. It is advice only. The server evaluates each placed bid itself.

use rules_engine::{BidContext, BidForm, EnteredCount, ItemTerms, Normalized, RuleSet, Violation};

use crate::components::money::typed_bid;
use crate::islands::items::confirmation::UnusualBid;
use crate::model::{BidCurrency, BidFormData};

/// Number of the smallest pieces from which a first bid is compared with the least one.
const MANY: i128 = 100;

/// More than this part of what a bidder has available is much.
const MUCH: i128 = 10;

/// A currency of the form with its compiled rules.
pub struct Evaluator {
    pub currency: BidCurrency,
    /// Absent if the engine can't compile the definitions. Then there is no advice.
    rules: Option<RuleSet>,
    /// The first bid must reach a minimum.
    has_minimum: bool,
}

/// The result of an evaluation.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Evaluation {
    /// Nothing is typed.
    pub empty: bool,
    pub normalized: Option<String>,
    pub violations: Vec<Violation>,
    /// What an accepted bid leaves available, in an auction with a book.
    pub left: Option<String>,
    /// The bid is accepted, but so high that it may be mistyped.
    pub unusual: Option<UnusualBid>,
}

impl Evaluation {
    pub fn accepted(&self) -> bool {
        !self.empty && self.violations.is_empty()
    }
}

impl Evaluator {
    /// One evaluator for each currency, in order.
    pub fn all(data: &BidFormData) -> Vec<Self> {
        let evaluator = |currency: &BidCurrency| Self {
            rules: RuleSet::compile(&currency.definition(), &data.rules, &data.terms).ok(),
            currency: currency.clone(),
            has_minimum: data.terms.min_bid_normalized.is_some(),
        };
        data.currencies.iter().map(evaluator).collect()
    }

    /// Number of fields: one for each denomination, or one for the amount.
    pub fn fields(&self) -> usize {
        if self.currency.by_denomination() { self.currency.denominations.len() } else { 1 }
    }

    /// The typed texts as a bid. Empty fields are ignored.
    pub fn bid(&self, typed: &[String]) -> BidForm {
        let numbers = typed_bid(&self.currency, typed).into_iter();
        let mut filled = numbers.enumerate().filter(|(_, text)| !text.is_empty());
        if !self.currency.by_denomination() {
            return BidForm {
                amount: filled.next().map(|(_, text)| text.as_str().into()),
                entered_representation: None,
            };
        }
        let entry = |(slot, text): (usize, String)| {
            let denomination = self.currency.denominations.get(slot)?.code.clone();
            Some(EnteredCount { denomination, count: text.as_str().into() })
        };
        let entries: Vec<_> = filled.filter_map(entry).collect();
        BidForm { amount: None, entered_representation: (!entries.is_empty()).then_some(entries) }
    }

    /// Evaluates the typed texts against the highest bid, which may be the bidder's own (`leads`), and what
    /// the bidder has available, in base units.
    pub fn evaluate(
        &self,
        typed: &[String],
        highest: Option<&str>,
        available: Option<&str>,
        leads: bool,
    ) -> Evaluation {
        let empty = typed.iter().all(|text| text.trim().is_empty());
        let Some(rules) = &self.rules else {
            return Evaluation { empty, ..Evaluation::default() };
        };
        let context = BidContext { highest: read(highest), available: read(available) };
        let verdict = rules.evaluate(context, &self.bid(typed));
        let accepted = verdict.normalized.filter(|_| verdict.violations.is_empty());
        Evaluation {
            empty,
            unusual: accepted.and_then(|bid| self.unusual(rules, context, bid, leads)),
            left: accepted.and_then(|bid| Some(context.available?.checked_sub(bid)?.to_string())),
            normalized: verdict.normalized.map(|normalized| normalized.to_string()),
            violations: verdict.violations,
        }
    }

    /// Judges whether an accepted bid is unusual. Without a bid or a minimum the least bid says little, so
    /// that only a first bid of many pieces is compared with it; in an auction with a book any other one is
    /// if it is much of what the bidder has.
    fn unusual(
        &self,
        rules: &RuleSet,
        context: BidContext,
        bid: Normalized,
        leads: bool,
    ) -> Option<UnusualBid> {
        let knows_least = context.highest.is_some() || self.has_minimum;
        let is_much = match (knows_least, context.available) {
            (false, _) => self.is_many(rules, bid),
            (true, Some(available)) => bid.mantissa().saturating_mul(MUCH) > available.mantissa(),
            (true, None) => true,
        };
        let suggested = rules.suggest(context).filter(|_| is_much);
        let least = suggested.and_then(|bid| Some(rules.normalize(&bid).ok()?.1));
        UnusualBid::of(bid, least, context.available, leads)
    }

    /// Whether an amount in base units is worth many of the smallest piece that amounts are written with, or
    /// of the currency without pieces.
    fn is_many(&self, rules: &RuleSet, amount: Normalized) -> bool {
        (0..self.fields()).any(|slot| {
            let is_written = self.currency.denominations.get(slot).is_none_or(|piece| piece.written);
            let one = rules.normalize(&self.bid(&self.one(slot)));
            is_written && one.is_ok_and(|(_, one)| amount.mantissa() / MANY >= one.mantissa())
        })
    }

    /// Texts of the least accepted bid, if the engine finds one.
    pub fn least(&self, highest: Option<&str>, available: Option<&str>) -> Option<Vec<String>> {
        let context = BidContext { highest: read(highest), available: read(available) };
        self.texts(self.rules.as_ref()?.suggest(context)?)
    }

    /// The texts that enter a bid.
    fn texts(&self, bid: BidForm) -> Option<Vec<String>> {
        if let Some(amount) = bid.amount {
            return Some(vec![amount.as_str().to_owned()]);
        }
        let entries = bid.entered_representation?;
        let count = |code: &str| entries.iter().find(|entry| entry.denomination == code);
        let typed = self.currency.denominations.iter().map(|denomination| {
            count(&denomination.code).map_or_else(String::new, |entry| entry.count.as_str().to_owned())
        });
        Some(typed.collect())
    }

    /// An amount in base units, in this currency: the texts of the least bid that is worth it, and whether it
    /// is worth exactly that.
    pub fn converted(&self, amount: &str) -> Option<(Vec<String>, bool)> {
        let terms = ItemTerms { min_bid_normalized: Some(amount.parse().ok()?), ..ItemTerms::default() };
        let rules = RuleSet::compile(&self.currency.definition(), &[], &terms).ok()?;
        let least = rules.suggest(BidContext::default())?;
        let (_, worth) = rules.normalize(&least).ok()?;
        Some((self.texts(least)?, Some(worth) == read(Some(amount))))
    }

    /// Value in base units of a count or amount of 1 in this field.
    pub fn value_of_one(&self, slot: usize) -> Option<String> {
        self.evaluate(&self.one(slot), None, None, false).normalized
    }

    /// The texts of the fields with a 1 in one of them.
    fn one(&self, slot: usize) -> Vec<String> {
        (0..self.fields()).map(|at| if at == slot { "1".to_owned() } else { String::new() }).collect()
    }

    /// The field that a violation is about.
    pub fn slot(&self, violation: &Violation) -> Option<usize> {
        match &violation.denomination {
            Some(code) => {
                self.currency.denominations.iter().position(|denomination| denomination.code == *code)
            }
            None => (!self.currency.by_denomination()).then_some(0),
        }
    }
}

fn read(amount: Option<&str>) -> Option<Normalized> {
    amount?.parse().ok()
}
