//! A bid judged while it is typed: by the engine, on the last highest bid seen, without asking anyone. It is
//! advice; the server judges again.

use rules_engine::Normalized;
use rules_engine::{BidForm, EnteredCount, RuleSet, Violation};

use crate::model::{BidCurrency, BidDesk};

/// One currency of the form with its rules, compiled once.
pub struct Judge {
    pub currency: BidCurrency,
    /// Absent where the definitions are not ones: then there is no advice, and the server decides.
    rules: Option<RuleSet>,
}

/// What the engine says to what was typed.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Judgement {
    /// Nothing was typed yet.
    pub empty: bool,
    pub normalized: Option<String>,
    pub violations: Vec<Violation>,
}

impl Judgement {
    pub fn accepted(&self) -> bool {
        !self.empty && self.violations.is_empty()
    }
}

impl Judge {
    /// One for each currency of the desk, in its order.
    pub fn all(desk: &BidDesk) -> Vec<Self> {
        let judge = |currency: &BidCurrency| Self {
            rules: RuleSet::compile(&currency.definition, &desk.rules, &desk.terms).ok(),
            currency: currency.clone(),
        };
        desk.currencies.iter().map(judge).collect()
    }

    /// Fields that the currency has: one for each denomination, or one for the amount.
    pub fn fields(&self) -> usize {
        if self.currency.by_denomination() { self.currency.denominations.len() } else { 1 }
    }

    /// What was typed, as a bid. An empty field is an absent one.
    pub fn bid(&self, typed: &[String]) -> BidForm {
        let mut filled =
            typed.iter().map(|text| text.trim()).enumerate().filter(|(_, text)| !text.is_empty());
        if !self.currency.by_denomination() {
            return BidForm {
                amount: filled.next().map(|(_, text)| text.into()),
                entered_representation: None,
            };
        }
        let entry = |(slot, text): (usize, &str)| {
            let denomination = self.currency.denominations.get(slot)?.code.clone();
            Some(EnteredCount { denomination, count: text.into() })
        };
        let entries: Vec<_> = filled.filter_map(entry).collect();
        BidForm { amount: None, entered_representation: (!entries.is_empty()).then_some(entries) }
    }

    /// Judges what was typed against the highest bid, in base units.
    pub fn judge(&self, typed: &[String], highest: Option<&str>) -> Judgement {
        let empty = typed.iter().all(|text| text.trim().is_empty());
        let Some(rules) = &self.rules else {
            return Judgement { empty, ..Judgement::default() };
        };
        let verdict = rules.evaluate(read(highest), &self.bid(typed));
        Judgement {
            empty,
            normalized: verdict.normalized.map(|normalized| normalized.to_string()),
            violations: verdict.violations,
        }
    }

    /// What to type for the least bid that is accepted, if the engine finds one.
    pub fn least(&self, highest: Option<&str>) -> Option<Vec<String>> {
        let bid = self.rules.as_ref()?.suggest(read(highest))?;
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

    /// What one piece of a field is worth in base units.
    pub fn worth_of_one(&self, slot: usize) -> Option<String> {
        let one = (0..self.fields()).map(|at| if at == slot { "1".to_owned() } else { String::new() });
        self.judge(&one.collect::<Vec<_>>(), None).normalized
    }

    /// The field that a violation is about: the denomination's, or that of the amount.
    pub fn slot(&self, violation: &Violation) -> Option<usize> {
        match &violation.denomination {
            Some(code) => {
                self.currency.denominations.iter().position(|denomination| denomination.code == *code)
            }
            None => (!self.currency.by_denomination()).then_some(0),
        }
    }
}

fn read(highest: Option<&str>) -> Option<Normalized> {
    highest?.parse().ok()
}
