//! The data of the pages of books.

use super::BaseUnit;
use super::wire::wire_enum;
use super::wire::wire_struct;

wire_enum! {
    /// The viewer's role in a book.
    BookRole {
        Owner = "OWNER",
        Teller = "TELLER",
        Holder = "HOLDER",
    }
}

impl BookRole {
    /// Owners and tellers grant, reverse and import.
    pub const fn keeps(self) -> bool {
        matches!(self, Self::Owner | Self::Teller)
    }
}

wire_enum! {
    EntryKind {
        Grant = "GRANT",
        Charge = "CHARGE",
        Share = "SHARE",
        Decay = "DECAY",
        Reversal = "REVERSAL",
    }
}

/// What a holder has, in base units. `available` is negative if more is committed than the holder has.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Funds {
    pub balance: String,
    pub committed: String,
    pub available: String,
}

impl Funds {
    /// Less is available than the leading bids need.
    pub fn is_overcommitted(&self) -> bool {
        self.available.starts_with('-')
    }
}

/// The book of an auction, for the heading of its pages.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PageFunds {
    pub book_id: String,
    /// Absent until the viewer is a member.
    pub balance: Option<Funds>,
    pub unit: BaseUnit,
}

/// An amount from a moment on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlotPoint {
    pub at: i64,
    pub amount: String,
}

wire_struct! {
    /// What a run of a book is computed of.
    #[derive(Debug, Clone, Default, PartialEq, Eq)]
    #[cfg_attr(feature = "ssr", derive(serde::Serialize))]
    pub struct RunCase {
        /// All holders, in the order by which equal remainders of a share are told apart.
        pub holders: Vec<CaseHolder>,
        /// Ids of the holders who are present in the auction.
        pub present: Vec<String>,
        /// What the auction, or its lot, has to share.
        #[cfg_attr(feature = "ssr", serde(skip_serializing_if = "Option::is_none"))]
        pub pot: Option<String>,
        /// The lot.
        #[cfg_attr(feature = "ssr", serde(rename = "itemId", skip_serializing_if = "Option::is_none"))]
        pub item_id = "itemId": Option<String>,
        #[cfg_attr(feature = "ssr", serde(skip_serializing_if = "Option::is_none"))]
        pub caps: Option<CaseCaps>,
        /// The periods that have had their decay.
        pub taken: Vec<String>,
    }
}

wire_struct! {
    /// A holder in a [`RunCase`].
    #[derive(Debug, Clone, Default, PartialEq, Eq)]
    #[cfg_attr(feature = "ssr", derive(serde::Serialize))]
    pub struct CaseHolder {
        pub id: String,
        pub name: String,
        pub balance: String,
        /// What caps count as given this week.
        pub given: String,
    }
}

wire_struct! {
    /// Limits on what is given.
    #[derive(Debug, Clone, Default, PartialEq, Eq)]
    #[cfg_attr(feature = "ssr", derive(serde::Serialize))]
    pub struct CaseCaps {
        #[cfg_attr(feature = "ssr", serde(skip_serializing_if = "Option::is_none"))]
        pub soft: Option<String>,
        #[cfg_attr(feature = "ssr", serde(rename = "softPercent", skip_serializing_if = "Option::is_none"))]
        pub soft_percent = "softPercent": Option<String>,
        #[cfg_attr(feature = "ssr", serde(skip_serializing_if = "Option::is_none"))]
        pub hard: Option<String>,
        #[cfg_attr(feature = "ssr", serde(skip_serializing_if = "Option::is_none"))]
        pub weekly: Option<String>,
    }
}

wire_struct! {
    /// What the island with the preview of a run starts with.
    #[derive(Debug, Clone, PartialEq, Eq)]
    #[cfg_attr(feature = "ssr", derive(serde::Serialize))]
    pub struct LiveRun {
        /// Where the run is posted.
        pub action: String,
        pub unit: BaseUnit,
        #[cfg_attr(feature = "ssr", serde(rename = "isShare"))]
        pub is_share = "isShare": bool,
        /// Makes a repeated form have no further effect.
        pub key: String,
        /// Typed into a form that was refused.
        pub reason: String,
    }
}

/// The preview of a run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RunPreview {
    pub rows: Vec<RunLine>,
    /// What stays in the pot, if anything does.
    pub kept: Option<String>,
    pub hash: String,
    pub is_share: bool,
}

/// The effect of a run on one person.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RunLine {
    pub name: String,
    /// With its sign.
    pub amount: String,
    /// The amount before caps, where they have left another.
    pub asked: Option<String>,
    pub before: String,
    pub after: String,
}
