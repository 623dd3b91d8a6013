//! The data of an auction's currencies and rules.

use rules_engine::RuleDefinition;

use super::wire::wire_struct;
use super::{AuctionAccess, BaseUnit, BidCurrency, BidFormData, SelectOption};

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

/// The page that adds currencies and rules from another auction or from a file.
#[derive(Debug, Clone, PartialEq)]
pub struct SetImportPage {
    pub page: CurrenciesPage,
    /// The other auctions of the viewer.
    pub auctions: Vec<SelectOption>,
    /// Absent before a preview is requested.
    pub preview: Option<SetPreview>,
}

/// What currencies and rules would do to the auction.
#[derive(Debug, Clone, PartialEq)]
pub enum SetPreview {
    /// They would be added. A base unit that they count in and the auction does not take is `unit_not_taken`.
    Set { page: Box<CurrenciesPage>, unit_not_taken: Option<BaseUnit> },
    /// They can't be added: a sentence, and each error with its place.
    Refused { message: String, errors: Vec<(String, String)> },
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

wire_struct! {
    /// A rule on the test bench: its text. The engine evaluates the rule itself.
    #[derive(Debug, Clone, PartialEq, Eq)]
    #[cfg_attr(feature = "ssr", derive(serde::Serialize))]
    pub struct BenchRule {
        pub id: String,
        pub words: String,
        /// Absent if the rule is for every currency.
        pub profile_id: Option<String>,
        pub enabled: bool,
    }
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
