//! The data of pages. Amounts are canonical decimals as text, moments are milliseconds since 1970 in UTC.

mod account;
mod admin;
mod auction;
mod bidding;
mod board;
mod books;
mod catalogue;
#[cfg(feature = "ssr")]
mod catalogue_query;
mod currencies;
mod desk;
mod form;
mod item;
mod members;
mod money;
mod notifications;
mod page_time;
mod past_imports;
mod pictures;
mod public_page;
mod rendered_text;
mod table_layout;
mod wire;

pub use account::Theme;
pub use admin::{Pause, RunState, StepState};
pub use auction::{AuctionAccess, AuctionStatus, Role};
pub use bidding::{BidCurrency, BidFormData, Bidding, Denomination};
pub use board::{BidBoard, BidRow, CurrencyNames, SealedBids};
pub use books::{
    BookRole, CaseCaps, CaseHolder, EntryKind, Funds, LiveRun, PageFunds, PlotPoint, RunCase, RunLine,
    RunPreview,
};
pub use catalogue::{Catalogue, ItemSummary, LotRange, OutcomeLine};
#[cfg(feature = "ssr")]
pub use catalogue_query::CatalogueQuery;
pub use currencies::BenchRule;
pub use desk::{
    CallState, ClerkOutbox, Desk, DeskLists, DeskLot, DeskMember, DeskSale, OwnMoney, PendingCall, Trouble,
};
pub use form::{FieldProblem, Filled, NextStep, Refused};
pub use item::ItemStatus;
pub use members::{AuctionPreview, QrCode};
pub use money::{BaseUnit, Noun, written_like};
pub use notifications::InboxState;
pub use page_time::PageTime;
pub use past_imports::{PastImport, PastImports};
pub use pictures::PictureFile;
pub use public_page::{Entrance, Guest, PublicPage};
pub use rendered_text::RenderedText;
pub use table_layout::{TableColumn, TableLayout};
pub use wire::UnknownSpelling;

pub(crate) use wire::{wire_name, wire_struct};

/// The signed-in user who requested the page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Viewer {
    pub id: String,
    pub name: String,
    pub email: String,
    /// A managed user makes no auctions, balances and groups.
    pub is_managed: bool,
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
