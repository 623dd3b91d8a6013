//! What the page of an auction's currencies and rules shows.

use rules_engine::RuleDefinition;
use serde::{Deserialize, Serialize};

use super::{BaseUnit, BidCurrency, BidDesk};

/// An auction's currencies and rules, and who looks at them.
#[derive(Debug, Clone, PartialEq)]
pub struct CurrenciesPage {
    pub auction_id: String,
    pub auction_name: String,
    /// Goes with a change of the base unit.
    pub auction_version: i64,
    pub base_unit: BaseUnit,
    /// The viewer may change them.
    pub can_edit: bool,
    pub currencies: Vec<CurrencyEntry>,
    /// By position, as broken ones are told.
    pub rules: Vec<RuleEntry>,
}

/// A currency as its form shows it.
#[derive(Debug, Clone, PartialEq)]
pub struct CurrencyEntry {
    pub id: String,
    pub code: String,
    pub is_default: bool,
    /// A bid or an item's minimum uses it: what it is worth and how it is entered can't change any more.
    pub in_use: bool,
    /// Goes with a change, so that it doesn't undo somebody else's.
    pub version: i64,
    pub currency: BidCurrency,
    /// What one piece is called, and what it is worth in base units; one nameless piece where there are no
    /// denominations.
    pub worths: Vec<(String, String)>,
}

/// A rule as its form shows it.
#[derive(Debug, Clone, PartialEq)]
pub struct RuleEntry {
    pub version: i64,
    pub definition: RuleDefinition,
}

/// A rule on the test bench: the engine judges, here are the words.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct BenchRule {
    pub id: String,
    pub words: String,
    /// Absent: it holds for every currency.
    pub profile_id: Option<String>,
    pub enabled: bool,
}

impl CurrenciesPage {
    pub fn path(&self) -> String {
        format!("/auctions/{}", self.auction_id)
    }

    pub fn currency(&self, id: &str) -> Option<&CurrencyEntry> {
        self.currencies.iter().find(|entry| entry.id == id)
    }

    pub fn rule(&self, id: &str) -> Option<&RuleEntry> {
        self.rules.iter().find(|rule| rule.definition.id == id)
    }

    /// A desk that takes bids for no item; none where there is no currency to bid in.
    pub fn desk(&self) -> Option<BidDesk> {
        let selected = self.currencies.iter().position(|entry| entry.is_default).unwrap_or(0);
        (!self.currencies.is_empty()).then(|| BidDesk {
            currencies: self.currencies.iter().map(|entry| entry.currency.clone()).collect(),
            selected,
            base_unit: self.base_unit.clone(),
            rules: self.rules.iter().map(|rule| rule.definition.clone()).collect(),
            ..BidDesk::default()
        })
    }
}
