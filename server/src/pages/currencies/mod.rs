//! The pages of an auction's currencies, which show its rules, too.

mod base_unit;
pub mod edit;
mod fields;
pub(super) mod form;
pub mod import;
pub mod import_file;
pub mod list;
pub mod new;
pub mod rules;
pub(super) mod template;
pub mod try_template;

pub use list::{done, read_editable};

use app::model::{AuctionAccess, BaseUnit, BidCurrency, BidFormData};
use rules_engine::RuleDefinition;

/// An auction's currencies and rules, for one viewer.
#[derive(Debug, Clone, PartialEq)]
pub struct CurrenciesPage {
    pub auction_id: String,
    pub auction_name: String,
    /// Sent with a change of the base unit, which fails if the auction has a later version.
    pub auction_version: i64,
    pub base_unit: BaseUnit,
    /// Bids are also limited by what their bidder has available.
    pub has_book: bool,
    /// The viewer may change them.
    pub can_edit: bool,
    pub access: AuctionAccess,
    pub currencies: Vec<CurrencyEntry>,
    /// Ordered by position, like the violations of a bid.
    pub rules: Vec<RuleEntry>,
}

/// A currency with the data of its form.
#[derive(Debug, Clone, PartialEq)]
pub struct CurrencyEntry {
    pub id: String,
    pub code: String,
    pub is_default: bool,
    /// A bid or an item's minimum uses it, so its value and input mode can't change any more.
    pub in_use: bool,
    /// Sent with a change, which fails if the currency has a later version.
    pub version: i64,
    pub currency: BidCurrency,
    /// Name of each denomination and its value in base units. A currency without denominations has one entry
    /// with an empty name.
    pub values: Vec<(String, String)>,
}

/// A rule with the data of its form.
#[derive(Debug, Clone, PartialEq)]
pub struct RuleEntry {
    /// Sent with a change, which fails if the rule has a later version.
    pub version: i64,
    pub definition: RuleDefinition,
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

    /// Data of a bid form without an item. Absent if there is no currency to bid in.
    pub fn bid_form(&self) -> Option<BidFormData> {
        let selected = self.currencies.iter().position(|entry| entry.is_default).unwrap_or(0);
        (!self.currencies.is_empty()).then(|| BidFormData {
            currencies: self.currencies.iter().map(|entry| entry.currency.clone()).collect(),
            selected,
            base_unit: self.base_unit.clone(),
            rules: self.rules.iter().map(|rule| rule.definition.clone()).collect(),
            ..BidFormData::default()
        })
    }
}
