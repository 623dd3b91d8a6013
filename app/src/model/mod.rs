//! The data of pages. Amounts are canonical decimals as text, moments are milliseconds since 1970 in UTC.

mod account;
mod admin;
mod books;
mod catalogue;
#[cfg(feature = "ssr")]
mod catalogue_query;
mod currencies;
mod form;
mod item_form;
mod members;
mod money;
mod rendered_text;
mod results;
mod settings;
mod wire;

pub use account::{AccountPage, SessionFacts};
pub use admin::{
    AdminPage, Administration, AuditEntry, BackupFacts, ClaimTerms, Pause, RunFacts, RunState, StepFacts,
    StepState, VersionFacts,
};
pub use books::{
    BookEntry, BookPage, BookRole, BookSettings, EntryKind, Funds, HolderEntry, ImportPreview, ImportRow,
    LedgerEntry,
};
pub use catalogue::{Catalogue, ItemSummary, OutcomeLine};
#[cfg(feature = "ssr")]
pub use catalogue_query::CatalogueQuery;
pub use currencies::{BenchRule, CurrenciesPage, CurrencyEntry, RuleEntry};
pub use form::{Filled, NextStep, Refused};
pub use item_form::{ExistingItem, ItemFormPage};
pub use members::{
    Invitation, InvitationState, InviteEntry, JoinLink, MemberEntry, MembersPage, QrCode, Registration,
};
pub use money::{BaseUnit, written_like};
pub use rendered_text::RenderedText;
pub use results::{
    Closing, Money, OutcomeFacts, OutcomeKind, ResultCounts, ResultFilter, ResultList, ResultRow,
    ResultsPage, ResultsQuery, Statement, Totals, WINNERS_MAX, WinnerTotals,
};
pub use settings::{AuctionSettings, AuctionState};
pub use wire::UnknownSpelling;

use std::str::FromStr;

use rules_engine::{InputMode, ItemTerms, ProfileDefinition, RuleDefinition};
use serde::{Deserialize, Serialize};

use crate::live::follow::Freshness;
use wire::wire_enum;

/// The signed-in user who requested the page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Viewer {
    pub id: String,
    pub name: String,
    pub email: String,
    /// The Deployment Admin, or any user while there is none.
    pub may_administer: bool,
}

/// One page of a list, with the cursor of the next one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Listing<T> {
    pub entries: Vec<T>,
    pub next_cursor: Option<String>,
}

/// A moment as a form holds it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct LocalMoment {
    /// In the viewer's time zone, as the browser's field takes it: `2026-11-21T11:00`.
    pub local: String,
    /// RFC 3339, to the millisecond.
    pub stamp: String,
}

wire_enum! {
    AuctionStatus {
        Open = "OPEN",
        Closed = "CLOSED",
    }
}

wire_enum! {
    ItemStatus {
        Draft = "DRAFT",
        Scheduled = "SCHEDULED",
        Open = "OPEN",
        Closed = "CLOSED",
    }
}

wire_enum! {
    /// The viewer's role in an auction.
    Role {
        Owner = "OWNER",
        Admin = "ADMIN",
        Creator = "CREATOR",
        Bidder = "BIDDER",
    }
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
    /// Any signed-in user may join without an invitation.
    pub joinable: bool,
}

/// A list of auctions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AuctionList {
    /// The viewer is a member.
    Mine,
    /// Open, and any signed-in user may join. The viewer is no member.
    Joinable,
}

/// An auction in a list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AuctionEntry {
    pub auction: AuctionSummary,
    /// The next end of an item, or that of the auction if it is earlier.
    pub next_end: Option<i64>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AuctionPage {
    pub auction: AuctionSummary,
    pub description: RenderedText,
    pub base_unit: BaseUnit,
    pub items: Listing<ItemSummary>,
    pub currencies: Vec<CurrencySummary>,
    /// The viewer may add items.
    pub can_sell: bool,
    /// The viewer may change the auction.
    pub can_change: bool,
    /// The viewer may watch items.
    pub can_watch: bool,
    /// The last position of the auction's events when the page was read.
    pub position: i64,
    /// Address with which others join, if the viewer may pass it on.
    pub join_link: Option<String>,
}

/// A currency of an auction with its value, in one line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CurrencySummary {
    pub name: String,
    pub symbol: String,
    /// Name of each denomination and its value in base units. A currency without denominations has one entry with an
    /// empty name.
    pub values: Vec<(String, String)>,
}

/// An ISO 4217 currency.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IsoCurrency {
    pub code: String,
    pub name: String,
    pub symbol: String,
    /// Digits after the decimal point.
    pub minor_digits: u16,
}

/// An option of a select field.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SelectOption {
    pub value: String,
    pub label: String,
}

#[derive(Debug, Clone, PartialEq)]
pub struct ItemPage {
    pub auction_id: String,
    pub auction_name: String,
    pub id: String,
    pub name: String,
    pub description: RenderedText,
    pub lot_number: i64,
    pub seller: String,
    /// Whether the viewer watches the item. Absent if the viewer may not.
    pub watched: Option<bool>,
    /// The viewer may change the item.
    pub can_edit: bool,
    pub status: ItemStatus,
    pub starts_at: Option<i64>,
    /// What a late bid does to the end, or has done, in words. Absent if late bids do not move the end.
    pub late_bids: Option<String>,
    /// The server's clock when the page was rendered. The countdown uses its difference to the browser's clock.
    pub now: i64,
    pub bidding: Bidding,
    pub board: BidBoard,
    /// What became of the closed item. That of an item that has just ended follows within seconds.
    pub outcome: Option<OutcomeFacts>,
    pub closing: Closing,
    /// The leader, if their leading bids exceed what they have, and by how much, in words. For managers.
    pub overcommitted: Option<(String, String)>,
}

/// One page of the bids on an item, newest first.
#[derive(Debug, Clone, PartialEq)]
pub struct BidsPage {
    pub auction_id: String,
    pub item_id: String,
    pub item_name: String,
    pub base_unit: BaseUnit,
    pub bid_count: u64,
    /// The viewer may withdraw the bids of others.
    pub may_withdraw: bool,
    pub bids: Listing<BidRow>,
}

/// A bid that the viewer may withdraw.
#[derive(Debug, Clone, PartialEq)]
pub struct WithdrawPage {
    pub auction_id: String,
    pub item_id: String,
    pub item_name: String,
    pub base_unit: BaseUnit,
    pub bid: BidRow,
}

/// Whether the viewer may bid, and if not, why.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "ssr", expect(clippy::large_enum_variant, reason = "a page has one of them"))]
pub enum Bidding {
    Open(BidFormData),
    SignIn,
    Removed,
    OwnItem,
    NotOpen,
}

/// The bid form's currencies, item terms and rules. The engine compiles them in the browser.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct BidFormData {
    pub auction_id: String,
    pub item_id: String,
    pub currencies: Vec<BidCurrency>,
    /// Index in `currencies` of the currency that the form shows first.
    pub selected: usize,
    pub base_unit: BaseUnit,
    pub terms: ItemTerms,
    pub rules: Vec<RuleDefinition>,
    /// What the bidder has available for the item, in base units; absent in an auction without a book.
    pub available: Option<String>,
    /// The bidder may hide their name with this bid.
    pub may_be_anonymous: bool,
    /// Sent with the form when it is submitted without JavaScript: a second submission places no second bid.
    pub idempotency_key: String,
}

/// A currency of the bid form. `profile_id` is absent in a legacy auction.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct BidCurrency {
    pub profile_id: Option<String>,
    pub name: String,
    pub symbol: String,
    pub definition: ProfileDefinition,
    /// In the order of `definition.denominations`.
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

/// How long bidders may take a bid back.
const TAKE_BACK_MILLISECONDS: i64 = 60_000;

/// The part of an item that changes with each bid.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct BidBoard {
    pub auction_id: String,
    pub item_id: String,
    pub status: ItemStatus,
    pub ends_at: Option<i64>,
    /// The bid that the closed item was sold for, in base units.
    pub sold_for: Option<String>,
    pub bid_count: u64,
    pub base_unit: BaseUnit,
    /// The least first bid, in base units.
    pub minimum_bid: Option<String>,
    /// Absent if the viewer is not signed in.
    pub viewer_id: Option<String>,
    /// Names of the currencies of all bids, for the text of bids that arrive later.
    pub currencies: Vec<CurrencyNames>,
    /// The newest bids, newest first. The first that stands is the highest.
    pub bids: Vec<BidRow>,
    /// Some of the standing bids before `bids`, newest first, for the chart: not all of them, so that their number is
    /// bounded, and without their bidders.
    pub earlier: Vec<BidRow>,
    /// The viewer may withdraw the bids of others.
    pub is_manager: bool,
    /// Whether the board is up to date.
    #[serde(skip)]
    pub freshness: Freshness,
}

impl BidBoard {
    /// The path of the item's page. The API's path of the item is the same below `/api`.
    pub fn page(&self) -> String {
        format!("/auctions/{}/items/{}", self.auction_id, self.item_id)
    }

    pub fn newest_sequence(&self) -> u64 {
        self.bids.first().map_or(0, |bid| bid.sequence)
    }

    pub fn is_open(&self) -> bool {
        self.status == ItemStatus::Open
    }

    /// The viewer has bid, and another bid leads, as far as the listed bids show.
    pub fn is_outbid(&self) -> bool {
        let has_bid = self.bids.iter().any(|bid| bid.mine && bid.withdrawn.is_none());
        has_bid && self.leading().is_some_and(|bid| !bid.mine)
    }

    /// The highest bid, in base units.
    pub fn highest(&self) -> Option<&str> {
        self.leading().map(|bid| bid.normalized_amount.as_str())
    }

    /// The highest standing bid.
    pub fn leading(&self) -> Option<&BidRow> {
        self.bids.iter().find(|bid| bid.withdrawn.is_none())
    }

    /// The bid with which the viewer leads and how many seconds there are left to take it back, as far as the page knows.
    pub fn take_back(&self, now: i64) -> Option<(u64, i64)> {
        let leading = self.leading().filter(|bid| bid.mine && self.may_withdraw(bid.sequence, now))?;
        Some((leading.sequence, (leading.placed_at + TAKE_BACK_MILLISECONDS - now) / 1000))
    }

    /// Whether the viewer may withdraw this bid, as far as the page knows. The server decides.
    pub fn may_withdraw(&self, sequence: u64, now: i64) -> bool {
        let Some(bid) = self.bids.iter().find(|bid| bid.sequence == sequence) else { return false };
        let is_newest = self.bids.first().is_some_and(|newest| newest.sequence == sequence);
        let may = if bid.mine {
            is_newest && now - bid.placed_at <= TAKE_BACK_MILLISECONDS
        } else {
            self.is_manager
        };
        self.is_open() && bid.withdrawn.is_none() && may
    }
}

/// The names of a currency and its denominations. `profile_id` is absent in a legacy auction.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct CurrencyNames {
    pub profile_id: Option<String>,
    pub name: String,
    pub symbol: String,
    pub denominations: Vec<DenominationName>,
}

/// A bid in a list. Serialized as a tuple: a page carries up to fifty, and in its HTML each quote of a field name would
/// take six bytes.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(from = "BidCells", into = "BidCells")]
pub struct BidRow {
    pub sequence: u64,
    /// Absent if the bidder is hidden from the viewer.
    pub bidder: Option<String>,
    pub mine: bool,
    pub normalized_amount: String,
    /// The entered representation as text, made by `components::money::in_words`.
    pub entered: String,
    pub placed_at: i64,
    /// By whom and why it was withdrawn, in words.
    pub withdrawn: Option<String>,
}

/// The fields of a [`BidRow`], in order.
type BidCells = (u64, Option<String>, bool, String, String, i64, Option<String>);

impl From<BidCells> for BidRow {
    fn from((sequence, bidder, mine, normalized_amount, entered, placed_at, withdrawn): BidCells) -> Self {
        Self { sequence, bidder, mine, normalized_amount, entered, placed_at, withdrawn }
    }
}

impl From<BidRow> for BidCells {
    fn from(row: BidRow) -> Self {
        (row.sequence, row.bidder, row.mine, row.normalized_amount, row.entered, row.placed_at, row.withdrawn)
    }
}
