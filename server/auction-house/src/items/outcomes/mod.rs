//! Outcomes: what became of closed items (SPEC, section 3). The first outcome of an item is written in the
//! transaction that closes it. A manager may decide again, which adds an outcome; the last one is in force.

pub mod apply;
pub mod charges;
pub mod decide;
pub mod document;
pub mod list;
pub mod mark;
pub mod pace;
pub mod results;
pub mod routes;

use std::ops::RangeInclusive;

use rules_engine::BidForm;
use rules_engine::money::Normalized;

use crate::auctions::visibility::BidFacts;
use crate::ids::{CurrencyId, ItemId, OutcomeId, UserId};
use crate::items::Item;
use crate::items::format::COPIES_MAX;
use accounts::Person;
use platform::fields::FieldError;
use platform::shape::Members;
use platform::text_enum;
use platform::time::Moment;

/// Length of the reason for which an item is cancelled or its outcome changed.
pub const REASON_CHARS: RangeInclusive<usize> = 1..=500;

/// What became of a closed item.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Outcome {
    /// The copy of the item, from 1 on.
    pub copy: i64,
    /// 1, 2, 3 … within the copy, without gaps.
    pub number: i64,
    pub result: OutcomeResult,
    pub reason: Option<String>,
    /// The user who closed the item or decided again; none if the clock closed it.
    pub by: Option<Person>,
    pub paid_at: Option<Moment>,
    pub collected_at: Option<Moment>,
    pub created_at: Moment,
}

/// An outcome with what decides who may see it.
#[derive(Debug, Clone, sqlx_macros::FromRow)]
pub struct StoredOutcome<O = Outcome> {
    pub id: OutcomeId,
    pub item_id: ItemId,
    pub seller_id: UserId,
    /// No later outcome of the copy replaces it.
    pub in_force: bool,
    #[sqlx(flatten)]
    pub outcome: O,
}

/// The result of an outcome.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum OutcomeResult {
    Sold(Box<SoldBid>),
    Unsold,
    Cancelled,
}

/// What an item was sold for: the price of a bid, or that of a correction.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SoldBid {
    /// The name is that at the time of the sale.
    pub winner: Person,
    pub is_anonymous: bool,
    /// None for a correction, which is no bid.
    pub sequence: Option<i64>,
    pub currency_id: Option<CurrencyId>,
    pub entered: BidForm,
    pub normalized: Normalized,
}

impl SoldBid {
    /// What decides which viewers may know the people of an outcome: the winner, or without one those whom
    /// its reason may name. `in_force` unless a later outcome replaces this one.
    pub fn facts(sold: Option<&Self>, in_force: bool) -> BidFacts {
        match sold {
            Some(sold) => {
                BidFacts { bidder: Some(sold.winner.id), is_anonymous: sold.is_anonymous, won: in_force }
            }
            None => BidFacts { bidder: None, is_anonymous: true, won: false },
        }
    }
}

/// The copy of an item that a request names, by default the first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CopyNumber(i64);

impl Default for CopyNumber {
    fn default() -> Self {
        Self(1)
    }
}

impl CopyNumber {
    pub fn member(&mut self, members: &mut Members<'_>) {
        members
            .integer("copy", 1..=COPIES_MAX, &mut self.0)
            .about("Of an item of several copies: which one, by default the first.")
            .without_default();
    }

    /// The outcome in force of this copy of a closed item; none before the item is closed.
    ///
    /// # Errors
    /// The item has fewer copies.
    pub fn of(self, item: &Item) -> Result<Option<&Outcome>, Vec<FieldError>> {
        let Self(copy) = self;
        if copy > item.terms.format.copies() {
            return Err(vec![FieldError::new("copy", "must be one of the copies of the item")]);
        }
        Ok(item.outcome_of(copy))
    }
}

text_enum! {
    /// The result as the API and the database spell it.
    pub enum ResultKind {
        Sold = "SOLD",
        Unsold = "UNSOLD",
        Cancelled = "CANCELLED",
    }
}

impl Outcome {
    pub fn kind(&self) -> ResultKind {
        match self.result {
            OutcomeResult::Sold(_) => ResultKind::Sold,
            OutcomeResult::Unsold => ResultKind::Unsold,
            OutcomeResult::Cancelled => ResultKind::Cancelled,
        }
    }

    /// The reason, for a viewer who may know the people of the outcome or not: it may name them. That of a
    /// cancellation is for everyone.
    pub fn shown_reason(&self, shows_people: bool) -> Option<&str> {
        let is_public = shows_people || self.kind() == ResultKind::Cancelled;
        self.reason.as_deref().filter(|reason| is_public || *reason == PASSED)
    }

    /// The bid that the item was sold for.
    pub fn sold(&self) -> Option<&SoldBid> {
        match &self.result {
            OutcomeResult::Sold(sold) => Some(sold),
            OutcomeResult::Unsold | OutcomeResult::Cancelled => None,
        }
    }
}

/// Why an item is closed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Closing {
    /// Its end has come.
    Clock,
    /// A user ends it now.
    User(UserId),
    /// A clerk passes it: it is not sold, whatever was bid.
    Passed(UserId),
    /// A manager removes it from the sale.
    Cancellation { by: UserId, reason: String },
}

/// The reason of the outcome of an item that was passed.
const PASSED: &str = "passed";

impl Closing {
    pub fn by(&self) -> Option<UserId> {
        match self {
            Self::Clock => None,
            Self::User(by) | Self::Passed(by) | Self::Cancellation { by, .. } => Some(*by),
        }
    }

    /// The result, unless the item is sold to its leader.
    pub fn unsold(&self) -> Option<ResultKind> {
        match self {
            Self::Clock | Self::User(_) => None,
            Self::Passed(_) => Some(ResultKind::Unsold),
            Self::Cancellation { .. } => Some(ResultKind::Cancelled),
        }
    }

    pub fn reason(&self) -> Option<&str> {
        match self {
            Self::Cancellation { reason, .. } => Some(reason),
            Self::Passed(_) => Some(PASSED),
            Self::Clock | Self::User(_) => None,
        }
    }
}
