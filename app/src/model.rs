//! What pages show, as plain data. Amounts are canonical decimals as text, moments are milliseconds since
//! 1970 in UTC.

mod admin;
mod currencies;

pub use admin::{
    AdminPage, Administration, BackupFacts, Deed, RunFacts, RunState, StepFacts, StepState, VersionFacts,
};
pub use currencies::{BenchRule, CurrenciesPage, CurrencyEntry, RuleEntry};

use rules_engine::{BidForm, InputMode, ItemTerms, ProfileDefinition, RuleDefinition, Violation};
use serde::{Deserialize, Serialize};

/// Who looks at a page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Viewer {
    pub id: String,
    pub name: String,
    pub email: String,
}

/// A page of a list, and where the next one begins.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Listing<T> {
    pub entries: Vec<T>,
    pub next_cursor: Option<String>,
}

/// The name and symbol of what every bid of an auction is converted to.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct BaseUnit {
    pub name: String,
    pub symbol: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum AuctionStatus {
    Open,
    Closed,
}

/// Written as the API does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "UPPERCASE")]
pub enum ItemStatus {
    Draft,
    Scheduled,
    Open,
    Closed,
}

/// What the viewer is in an auction.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Role {
    Owner,
    Admin,
    Creator,
    Bidder,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AuctionSummary {
    pub id: String,
    pub name: String,
    pub description: String,
    pub status: AuctionStatus,
    pub item_count: u64,
    pub ends_at: Option<i64>,
    pub my_role: Option<Role>,
    /// Anyone signed in may join by themselves.
    pub joinable: bool,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AuctionPage {
    pub auction: AuctionSummary,
    pub base_unit: BaseUnit,
    pub items: Listing<ItemSummary>,
    pub currencies: Vec<CurrencySummary>,
    /// The viewer may add items.
    pub can_sell: bool,
}

/// One currency of an auction in a line: what it is and what it is worth.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CurrencySummary {
    pub name: String,
    pub symbol: String,
    /// What one piece is called, and what it is worth in base units; one nameless piece where there are no
    /// denominations.
    pub pieces: Vec<(String, String)>,
}

/// The items on a page of an auction, as they stay alive in the browser.
#[derive(Debug, Serialize, Deserialize)]
pub struct Catalogue {
    pub auction_id: String,
    /// The page's own path.
    pub address: String,
    /// Something may still happen to them.
    pub open: bool,
    /// Whose bids lead, if the viewer is signed in.
    pub viewer_id: Option<String>,
    /// The server's clock.
    pub now: i64,
    pub items: Vec<ItemSummary>,
    /// There is no page before this one.
    pub is_first: bool,
    /// There is no page after this one.
    pub is_last: bool,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ItemSummary {
    pub id: String,
    pub name: String,
    pub status: ItemStatus,
    pub ends_at: Option<i64>,
    /// In base units.
    pub highest_bid: Option<String>,
    /// In base units: what the first bid must reach.
    pub minimum_bid: Option<String>,
    pub bid_count: u64,
    pub base_unit: BaseUnit,
    /// The viewer leads.
    pub leading: bool,
}

impl ItemSummary {
    /// The highest bid, or what the first must reach.
    pub fn price(&self) -> Option<&str> {
        self.highest_bid.as_deref().or(self.minimum_bid.as_deref())
    }
}

#[derive(Debug, Clone, PartialEq)]
pub struct NewItemPage {
    pub auction_id: String,
    pub auction_name: String,
    /// Empty in an auction without profiles: its items name an ISO currency.
    pub currencies: Vec<BidCurrency>,
    /// Index in `currencies` of what the minimum is entered in unless another is asked for.
    pub selected: usize,
    pub base_unit: BaseUnit,
    /// Items may end at a time of their own, not only with the auction.
    pub own_end: bool,
}

/// A currency of ISO 4217.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IsoCurrency {
    pub code: String,
    pub name: String,
    pub symbol: String,
    /// Digits after the point that it is paid in.
    pub minor_digits: u16,
}

/// An entry of a list of currencies.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CurrencyChoice {
    pub value: String,
    pub label: String,
}

#[derive(Debug, Clone, PartialEq)]
pub struct ItemPage {
    pub auction_id: String,
    pub auction_name: String,
    pub id: String,
    pub name: String,
    pub description: String,
    pub seller: String,
    pub status: ItemStatus,
    pub starts_at: Option<i64>,
    /// The server's clock when the page was made: the browser counts down from the difference.
    pub now: i64,
    pub bidding: Bidding,
    pub board: BidBoard,
}

/// A page of all bids on an item, newest first.
#[derive(Debug, Clone, PartialEq)]
pub struct BidsPage {
    pub auction_id: String,
    pub item_id: String,
    pub item_name: String,
    pub base_unit: BaseUnit,
    pub bid_count: u64,
    pub bids: Listing<BidRow>,
}

/// Whether and how the viewer may bid.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "ssr", expect(clippy::large_enum_variant, reason = "there is one for a page"))]
pub enum Bidding {
    Open(BidDesk),
    SignIn,
    Join,
    OwnItem,
    NotOpen,
}

/// What the bid form judges by: every currency with its rules. Compiled by the engine in the browser.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct BidDesk {
    pub auction_id: String,
    pub item_id: String,
    pub currencies: Vec<BidCurrency>,
    /// Index in `currencies` of what the form begins with.
    pub selected: usize,
    pub base_unit: BaseUnit,
    pub terms: ItemTerms,
    pub rules: Vec<RuleDefinition>,
    /// A person may hide their name with this bid.
    pub may_be_anonymous: bool,
    /// Goes with a bid that is sent without JavaScript, so that sending it twice places it once.
    pub idempotency_key: String,
}

/// One currency of the bid form. `profile_id` is absent in a legacy auction.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct BidCurrency {
    pub profile_id: Option<String>,
    pub name: String,
    pub symbol: String,
    pub definition: ProfileDefinition,
    /// As in `definition.denominations`, in the same order.
    pub denominations: Vec<DenominationName>,
}

impl BidCurrency {
    pub fn by_denomination(&self) -> bool {
        self.definition.input_mode == InputMode::Denomination
    }
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct DenominationName {
    pub code: String,
    pub name: String,
    pub symbol: String,
}

/// What changes while people bid.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct BidBoard {
    pub auction_id: String,
    pub item_id: String,
    pub open: bool,
    pub ends_at: Option<i64>,
    pub bid_count: u64,
    pub base_unit: BaseUnit,
    /// In base units: what the first bid must reach.
    pub minimum_bid: Option<String>,
    /// Whose bids are `mine`, if the viewer is signed in.
    pub viewer_id: Option<String>,
    /// What bids may have been entered in, to put into words those that come in later.
    pub currencies: Vec<CurrencyNames>,
    /// The newest bids, newest first; the first is the highest.
    pub bids: Vec<BidRow>,
}

impl BidBoard {
    /// The amount to beat, in base units.
    pub fn highest(&self) -> Option<&str> {
        self.bids.first().map(|bid| bid.normalized_amount.as_str())
    }
}

/// How a currency and its pieces are called. `profile_id` is absent in a legacy auction.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct CurrencyNames {
    pub profile_id: Option<String>,
    pub name: String,
    pub symbol: String,
    pub denominations: Vec<DenominationName>,
}

/// A bid in a list. It is written as its cells alone: a page carries fifty, and each quote of a name is escaped in it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(from = "BidCells", into = "BidCells")]
pub struct BidRow {
    pub sequence: u64,
    /// Absent where the viewer may not know.
    pub bidder: Option<String>,
    pub mine: bool,
    pub normalized_amount: String,
    /// As it was entered, in words: see `components::money::in_words`.
    pub entered: String,
    pub placed_at: i64,
}

/// The fields of a [`BidRow`], in their order.
type BidCells = (u64, Option<String>, bool, String, String, i64);

impl From<BidCells> for BidRow {
    fn from((sequence, bidder, mine, normalized_amount, entered, placed_at): BidCells) -> Self {
        Self { sequence, bidder, mine, normalized_amount, entered, placed_at }
    }
}

impl From<BidRow> for BidCells {
    fn from(row: BidRow) -> Self {
        (row.sequence, row.bidder, row.mine, row.normalized_amount, row.entered, row.placed_at)
    }
}

/// How the fields of a form begin: field name and value. In the context of the page that draws the form.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Filled(pub Vec<(String, String)>);

impl Filled {
    pub fn value(&self, name: &str) -> Option<&str> {
        let found = self.0.iter().find(|(field, _)| field == name);
        found.map(|(_, value)| value.as_str())
    }
}

/// A form that was sent and refused: what was typed, and what is wrong with it. In the context of the page
/// that draws the form again.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Refused {
    /// Field name and value, as sent.
    pub values: Vec<(String, String)>,
    /// It was a button, which sends no field: the forms beside it stay as the page fills them in.
    pub is_button: bool,
    /// One sentence for the whole form.
    pub message: String,
    /// Field name and what to do about it.
    pub fields: Vec<(String, String)>,
    /// A bid's broken rules, and what was bid.
    pub violations: Vec<Violation>,
    pub bid: Option<BidForm>,
}

impl Refused {
    pub fn value(&self, name: &str) -> Option<&str> {
        let found = self.values.iter().find(|(field, _)| field == name);
        found.map(|(_, value)| value.as_str())
    }

    pub fn error(&self, name: &str) -> Option<&str> {
        let found = self.fields.iter().find(|(field, _)| field == name);
        found.map(|(_, message)| message.as_str())
    }
}
