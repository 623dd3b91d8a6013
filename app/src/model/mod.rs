//! The data of pages. Amounts are canonical decimals as text, moments are milliseconds since 1970 in UTC.

mod account;
mod admin;
mod books;
mod catalogue;
#[cfg(feature = "ssr")]
mod catalogue_query;
mod currencies;
#[cfg(feature = "ssr")]
mod dashboard;
mod form;
mod item_form;
mod members;
mod money;
mod notifications;
mod pictures;
mod rendered_text;
mod results;
mod settings;
mod wire;

pub use account::{AccountPage, KindPreference, PreferenceFacts, SessionFacts, Theme};
pub use admin::{
    AdminPage, Administration, AuditEntry, BackupFacts, ClaimTerms, Pause, RunFacts, RunState, StepFacts,
    StepState, VersionFacts,
};
pub use books::{
    BookEntry, BookPage, BookRole, BookSettings, EntryKind, Funds, HolderEntry, ImportPreview, ImportRow,
    LedgerEntry, PageFunds,
};
pub use catalogue::{Catalogue, ItemSummary, OutcomeLine};
#[cfg(feature = "ssr")]
pub use catalogue_query::CatalogueQuery;
pub use currencies::{BenchRule, CurrenciesPage, CurrencyEntry, RuleEntry};
#[cfg(feature = "ssr")]
pub use dashboard::{DashboardPage, Dues, LeastBid, OwnBid, OwnItem, OwnList, Position, Section};
pub use form::{Filled, NextStep, Refused};
pub use item_form::{ExistingItem, ItemFormPage};
pub use members::{
    Invitation, InvitationState, InviteEntry, JoinLink, MemberEntry, MembersPage, QrCode, Registration,
};
pub use money::{BaseUnit, written_like};
pub use notifications::{InboxState, NotificationEntry, NotificationsPage, Unsubscription};
#[cfg(feature = "ssr")]
pub use pictures::PicturesPage;
pub use pictures::{Picture, PictureFile};
pub use rendered_text::RenderedText;
pub use results::{
    Closing, Money, OutcomeFacts, OutcomeKind, ResultCounts, ResultFilter, ResultList, ResultRow,
    ResultsPage, ResultsQuery, SaleCharge, Statement, Totals, WINNERS_MAX, WinnerTotals,
};
pub use settings::{AuctionSettings, AuctionState};
pub use wire::UnknownSpelling;

use std::str::FromStr;

use rules_engine::shape::{Read, ReadJson, Reader};
use rules_engine::{InputMode, ItemTerms, ProfileDefinition, RuleDefinition};
use wire::wire_enum;
pub(crate) use wire::{wire_name, wire_struct};

/// The signed-in user who requested the page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Viewer {
    pub id: String,
    pub name: String,
    pub email: String,
    /// The Deployment Admin, or any user while there is none.
    pub may_administer: bool,
    pub theme: Theme,
    /// Absent where it can't be read.
    pub inbox: Option<InboxState>,
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
    /// Absent in an auction without a book.
    pub funds: Option<PageFunds>,
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
    pub pictures: Vec<Picture>,
    /// The viewer may add pictures now.
    pub can_add_pictures: bool,
    pub lot_number: i64,
    pub seller: String,
    /// Whether the viewer watches the item. Absent if the viewer may not.
    pub watched: Option<bool>,
    /// The viewer may change the item.
    pub can_edit: bool,
    pub status: ItemStatus,
    pub starts_at: Option<i64>,
    /// Absent if late bids do not move the end.
    pub late_bids: Option<LateBids>,
    /// The server's clock when the page was rendered. The countdown uses its difference to the browser's clock.
    pub now: i64,
    pub bidding: Bidding,
    pub board: BidBoard,
    /// What became of the closed item. That of an item that has just ended follows within seconds.
    pub outcome: Option<OutcomeFacts>,
    pub closing: Closing,
    /// Absent in an auction without a book.
    pub funds: Option<PageFunds>,
    /// The leader, if their leading bids exceed what they have, and by how much, in words. For managers.
    pub overcommitted: Option<(String, String)>,
}

/// What a late bid does to the end of an open item.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LateBids {
    pub words: String,
    /// How long bidding lasts after a late bid, in milliseconds.
    pub extension: i64,
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
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "ssr", expect(clippy::large_enum_variant, reason = "a page has one of them"))]
pub enum Bidding {
    Open(BidFormData),
    SignIn,
    Removed,
    OwnItem,
    NotOpen,
}

/// The form as an object, or the reason as a text.
#[cfg(feature = "ssr")]
impl serde::Serialize for Bidding {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Open(data) => data.serialize(serializer),
            Self::SignIn => "SIGN_IN".serialize(serializer),
            Self::Removed => "REMOVED".serialize(serializer),
            Self::OwnItem => "OWN_ITEM".serialize(serializer),
            Self::NotOpen => "NOT_OPEN".serialize(serializer),
        }
    }
}

impl ReadJson for Bidding {
    fn read_json(reader: &mut Reader<'_>) -> Read<Self> {
        if !reader.is_at_text() {
            return BidFormData::read_json(reader).map(Self::Open);
        }
        let reason = reader.text()?;
        Ok(match &*reason {
            "SIGN_IN" => Self::SignIn,
            "REMOVED" => Self::Removed,
            "OWN_ITEM" => Self::OwnItem,
            _ => Self::NotOpen,
        })
    }
}

wire_struct! {
    /// The bid form's currencies, item terms and rules. The engine compiles them in the browser.
    #[derive(Debug, Clone, Default, PartialEq)]
    #[cfg_attr(feature = "ssr", derive(serde::Serialize))]
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
}

wire_struct! {
    /// A currency of the bid form. `profile_id` is absent in a legacy auction.
    #[derive(Debug, Clone, PartialEq)]
    #[cfg_attr(feature = "ssr", derive(serde::Serialize))]
    pub struct BidCurrency {
        pub profile_id: Option<String>,
        pub name: String,
        pub symbol: String,
        pub definition: ProfileDefinition,
        /// In the order of `definition.denominations`.
        pub denominations: Vec<DenominationName>,
    }
}

impl BidCurrency {
    pub fn by_denomination(&self) -> bool {
        self.definition.input_mode == InputMode::Denomination
    }
}

wire_struct! {
    #[derive(Debug, Clone, PartialEq, Eq)]
    #[cfg_attr(feature = "ssr", derive(serde::Serialize))]
    pub struct DenominationName {
        pub code: String,
        pub name: String,
        pub symbol: String,
    }
}

/// How long bidders may take a bid back.
const TAKE_BACK_MILLISECONDS: i64 = 60_000;

wire_struct! {
    /// The part of an item that changes with each bid.
    #[derive(Debug, Clone, PartialEq)]
    #[cfg_attr(feature = "ssr", derive(serde::Serialize))]
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
    }
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

wire_struct! {
    /// The names of a currency and its denominations. `profile_id` is absent in a legacy auction.
    #[derive(Debug, Clone, PartialEq, Eq)]
    #[cfg_attr(feature = "ssr", derive(serde::Serialize))]
    pub struct CurrencyNames {
        pub profile_id: Option<String>,
        pub name: String,
        pub symbol: String,
        pub denominations: Vec<DenominationName>,
    }
}

wire_struct! {
    /// A bid in a list.
    #[derive(Debug, Clone, PartialEq)]
    #[cfg_attr(feature = "ssr", derive(serde::Serialize))]
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
}
