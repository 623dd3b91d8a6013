//! Auctions: one sale with its members, items, currencies and rules.

pub mod access;
pub mod body;
pub mod book;
pub mod create;
pub mod document;
pub mod group;
pub mod list;
pub mod money;
pub mod people;
pub mod routes;
pub mod screen;
#[macro_use]
pub mod store;
pub mod visibility;

use std::sync::Arc;

use self::money::{Goal, IsoCode};
pub use crate::base_unit::BaseUnit;
use crate::ids::{AuctionId, BookId, GroupId, ItemId};
use people::Numbers;
use platform::db::DbError;
use platform::fields::FieldError;
use platform::text_enum;
use platform::time::Moment;
use platform::token::LinkToken;

text_enum! {
    /// How a user becomes a member.
    pub enum JoinMode {
        Free = "FREE",
        InviteOnly = "INVITE_ONLY",
        Link = "LINK",
    }
}

text_enum! {
    /// Whose names are shown with bids.
    pub enum BidderVisibility {
        Visible = "VISIBLE",
        Anonymous = "ANONYMOUS",
        PerBid = "PER_BID",
        Numbers = "NUMBERS",
    }
}

text_enum! {
    /// Who may read the auction without being a member of it.
    pub enum ReadableBy {
        /// Nobody, except every signed-in user if the auction is FREE.
        Members = "MEMBERS",
        /// Everyone, also without an account.
        Anyone = "ANYONE",
    }
}

text_enum! {
    /// When items end.
    pub enum ItemEndMode {
        /// All with the auction.
        AuctionEnd = "AUCTION_END",
        /// Each with its own end, or else with the auction.
        Custom = "CUSTOM",
        /// With `close` alone.
        None = "NONE",
    }
}

text_enum! {
    /// Whether anything in the auction can still be sold.
    pub enum AuctionStatus {
        Open = "OPEN",
        Closed = "CLOSED",
    }
}

impl BidderVisibility {
    /// Whether this hides every name that `other` hides.
    pub fn hides_as_much_as(self, other: Self) -> bool {
        let names_hidden = |visibility| match visibility {
            Self::Visible => 0,
            Self::PerBid => 1,
            Self::Numbers => 2,
            Self::Anonymous => 3,
        };
        names_hidden(self) >= names_hidden(other)
    }
}

/// A late bid moves the end (SPEC, section 3).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AntiSnipe {
    pub enabled: bool,
    /// How near to the end a bid is late: 5–3600.
    pub threshold_seconds: i64,
    /// How long after a late bid the item still lasts: 5–3600.
    pub extension_seconds: i64,
}

/// What an auction's managers decide.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AuctionTerms {
    /// 1–200 characters.
    pub name: String,
    /// Plain text or Markdown, at most 10 000 characters.
    pub description: String,
    pub join_mode: JoinMode,
    pub member_can_invite: bool,
    pub bidder_visibility: BidderVisibility,
    pub readable_by: ReadableBy,
    pub end_date: Option<Moment>,
    pub item_end_mode: ItemEndMode,
    pub base_unit: Option<BaseUnit>,
    /// What its bidders have, in the base unit.
    pub book_id: Option<BookId>,
    /// All of its people are members.
    pub group_id: Option<GroupId>,
    /// The default for new items.
    pub default_anti_snipe: AntiSnipe,
    /// What new items begin with, and the unit of the goal, while the auction has no currency profiles.
    pub currency: Option<IsoCode>,
    pub goal: Option<Goal>,
    /// Where and when buyers pay and collect, for their statements: at most 500 characters.
    pub collection: String,
}

/// One sale with its terms and its state.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Auction {
    pub id: AuctionId,
    pub terms: AuctionTerms,
    /// Has no currency profiles: each item has a price in a currency of its own.
    pub is_legacy: bool,
    /// Token of the link with which users join. It has an effect in a LINK auction only.
    pub link_token: LinkToken,
    pub closed_at: Option<Moment>,
    /// An item lasts beyond the auction's end: a late bid moved it, or nothing but `close` ends it.
    pub outlasted: bool,
    pub version: i64,
    /// Moves with every change in the auction, apart from bids.
    pub revision: i64,
    /// How many items are published.
    pub published_items: i64,
    /// On the block: being sold aloud. Published.
    pub block_item_id: Option<ItemId>,
    /// In the group of the auction. None without a group.
    pub numbers: Option<Arc<Numbers>>,
    pub created_at: Moment,
    pub updated_at: Moment,
}

impl AuctionTerms {
    /// Refuses an end that has passed.
    pub fn check_end(&self, now: Moment) -> Result<(), Vec<FieldError>> {
        if self.end_date.is_some_and(|end| end <= now) {
            return Err(vec![FieldError::past("endDate")]);
        }
        Ok(())
    }

    /// The end in force of an item with this end of its own.
    pub fn item_end(&self, own_end: Option<Moment>) -> Option<Moment> {
        match self.item_end_mode {
            ItemEndMode::None => None,
            ItemEndMode::AuctionEnd | ItemEndMode::Custom => own_end.or(self.end_date),
        }
    }
}

impl Auction {
    /// A new auction with a secret link.
    pub fn new(terms: AuctionTerms, now: Moment) -> Result<Self, DbError> {
        Ok(Self {
            id: AuctionId::new(now),
            terms,
            is_legacy: true,
            link_token: LinkToken::new().map_err(DbError::from)?,
            closed_at: None,
            outlasted: false,
            version: 1,
            revision: 0,
            published_items: 0,
            block_item_id: None,
            numbers: None,
            created_at: now,
            updated_at: now,
        })
    }

    /// Closed by hand, or past its end with its last item.
    pub fn is_closed(&self, now: Moment) -> bool {
        self.closed_at.is_some() || (self.has_ended(now) && !self.outlasted)
    }

    pub fn status(&self, now: Moment) -> AuctionStatus {
        if self.is_closed(now) { AuctionStatus::Closed } else { AuctionStatus::Open }
    }

    /// Past its own end, whether or not items last longer. Nothing new is sold then.
    pub fn has_ended(&self, now: Moment) -> bool {
        self.closed_at.is_some() || self.terms.end_date.is_some_and(|end| now >= end)
    }
}
