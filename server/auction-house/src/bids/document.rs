//! Bids as they are answered (SPEC, section 6).

use std::sync::Arc;

use rules_engine::money::Normalized;
use rules_engine::{EnteredCount, Violation, ViolationCode};
use serde::Serialize;
use serde_json::value::RawValue;
use utoipa::ToSchema;

use crate::auctions::people::PeopleShown;
use crate::bids::PlacedBid;
use crate::bids::entered::DenominationCount;
use crate::bids::evaluate::{Acceptance, Rejection};
use crate::bids::list::{BidList, ListedBid};
use crate::bids::sealed::SealedBid;
use crate::bids::withdrawal::{Withdrawal, WithdrawalReason, WithdrawnBy};
use crate::bids::{Bid, KnownPeople};
use crate::engine::json_number;
use crate::engine_schema::answered_amount;
use crate::ids::{AuctionId, BidId, CurrencyId, ItemId, UserId};
use crate::items::format::DrawTerms;
use crate::items::funds::Overcommitted;
use accounts::person::PersonDocument;
use platform::db::DbError;
use platform::paging;
use platform::time::Moment;

/// An accepted bid, as one viewer may see it.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = Bid)]
pub struct BidDocument {
    #[schema(value_type = String, format = "uuid")]
    pub id: BidId,
    #[schema(value_type = String, format = "uuid")]
    pub auction_id: AuctionId,
    #[schema(value_type = String, format = "uuid")]
    pub item_id: ItemId,
    /// 1, 2, 3 … within the item, without gaps. Null while the bid is sealed. Tickets are numbered by receipt
    /// before the draw, and with it again, without those that were withdrawn.
    pub sequence: Option<i64>,
    /// Null where the viewer may not know.
    pub bidder: Option<PersonDocument>,
    /// The clerk who placed it for the bidder. For OWNER, ADMIN, CLERK and the bidder; null for others.
    pub placed_by: Option<PersonDocument>,
    /// Codes of the rules that the clerk has overridden. Absent without any.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schema(value_type = Vec<String>, required = false)]
    pub overridden: Vec<ViolationCode>,
    /// The entered amount, an exact number; null in DENOMINATION mode.
    #[schema(schema_with = answered_amount, required = true)]
    pub amount: Option<Box<RawValue>>,
    /// The counts above zero, in the profile's order; null in SCALAR mode.
    #[schema(value_type = Option<Vec<DenominationCount>>)]
    pub entered_representation: Option<Vec<EnteredCount>>,
    /// Null in an auction without currency profiles.
    #[schema(value_type = Option<String>, format = "uuid")]
    pub currency_profile_id: Option<CurrencyId>,
    /// In base units.
    #[schema(value_type = String)]
    pub normalized_amount: Normalized,
    /// How many tickets of a draw the amount pays. Absent otherwise.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub tickets: Option<i64>,
    pub is_anonymous: bool,
    #[schema(value_type = String, format = DateTime)]
    pub created_at: Moment,
    /// The item's end once the bid was placed.
    #[schema(value_type = Option<String>, format = DateTime)]
    pub item_end_date: Option<Moment>,
    /// Null while the bid stands.
    pub withdrawn: Option<WithdrawalDocument>,
    /// In the answer to a withdrawal only: users whose bids that lead again exceed what they have.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub overcommitted: Option<Vec<OvercommittedDocument>>,
}

/// When, by whom and why a bid was withdrawn.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Withdrawal)]
pub struct WithdrawalDocument {
    #[schema(value_type = String, format = DateTime)]
    pub at: Moment,
    pub by: WithdrawnBy,
    pub reason: WithdrawalReason,
    /// Null without one, and where the viewer may not know the bidder, whom a note could name; that of a
    /// seller is for all members.
    pub note: Option<String>,
}

/// A user whose leading bids exceed what they have.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Overcommitted)]
pub struct OvercommittedDocument {
    #[schema(value_type = String, format = "uuid")]
    pub id: UserId,
    pub name: String,
    /// In base units; below zero.
    #[schema(value_type = String)]
    pub available: Normalized,
}

impl From<Overcommitted> for OvercommittedDocument {
    fn from(Overcommitted { person, available }: Overcommitted) -> Self {
        Self { id: person.id, name: person.name, available }
    }
}

impl WithdrawalDocument {
    fn of(withdrawal: Withdrawal, shows_bidder: bool, people: &PeopleShown) -> Self {
        let note = withdrawal.shown_note(shows_bidder, people.is_to_outsiders()).map(str::to_owned);
        let Withdrawal { at, by, reason, .. } = withdrawal;
        Self { at, by, reason, note }
    }
}

impl BidDocument {
    /// `people` are those of the auction.
    pub fn new(bid: Bid, known: KnownPeople, people: &PeopleShown) -> Result<Self, DbError> {
        let (clerk, overridden) = bid.by_clerk.map(|by_clerk| (by_clerk.clerk, by_clerk.overridden)).unzip();
        Ok(Self {
            id: bid.id,
            auction_id: bid.auction_id,
            item_id: bid.item_id,
            sequence: Some(bid.sequence),
            bidder: people.person(bid.bidder, known.bidder),
            placed_by: clerk.filter(|_| known.clerk).and_then(|clerk| people.person(clerk, true)),
            overridden: overridden.unwrap_or_default(),
            amount: bid.entered.amount.map(json_number).transpose()?,
            entered_representation: bid.entered.entered_representation,
            currency_profile_id: bid.currency_profile_id,
            normalized_amount: bid.normalized,
            tickets: None,
            is_anonymous: bid.is_anonymous,
            created_at: bid.created_at,
            item_end_date: bid.item_end_date,
            withdrawn: bid
                .withdrawn
                .map(|withdrawal| WithdrawalDocument::of(withdrawal, known.bidder, people)),
            overcommitted: None,
        })
    }
}

impl BidDocument {
    /// A bid of any kind, for its bidder or the clerk who has placed it.
    pub fn of_placed(bid: PlacedBid, people: &PeopleShown) -> Result<Self, DbError> {
        match bid {
            PlacedBid::Open(bid) => Self::new(Arc::unwrap_or_clone(bid), KnownPeople::ALL, people),
            PlacedBid::Apart(bid) => Self::of_apart(&bid, people),
        }
    }

    /// A sealed bid, or tickets, for its bidder or the clerk who has placed it.
    pub fn of_apart(bid: &SealedBid, people: &PeopleShown) -> Result<Self, DbError> {
        let document = Self::new(bid.opened(0, 0, None), KnownPeople::ALL, people)?;
        Ok(Self { sequence: bid.shown_sequence(), tickets: bid.tickets, ..document })
    }

    /// The bid with the number of its tickets, if its item is a draw.
    pub fn on_draw(self, terms: Option<&DrawTerms>) -> Self {
        let tickets = terms.map(|draw| draw.tickets_worth(self.normalized_amount));
        Self { tickets, ..self }
    }
}

/// A page of an item's bids, newest first.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = Bids)]
pub struct BidsDocument {
    pub bids: Vec<BidDocument>,
    /// Where the next page begins: `?before=` this.
    pub next_before: Option<i64>,
}

impl BidsDocument {
    /// The list of an item whose bids are sealed, for the bidder.
    pub fn of_sealed(own: &SealedBid, people: &PeopleShown) -> Result<Self, DbError> {
        Ok(Self { bids: vec![BidDocument::of_apart(own, people)?], next_before: None })
    }

    /// A page of the list of an item, with its terms if it is a draw.
    pub fn of(listed: BidList, draw: Option<&DrawTerms>, people: &PeopleShown) -> Result<Self, DbError> {
        let document = |seen: ListedBid| Ok(BidDocument::new(seen.bid, seen.known, people)?.on_draw(draw));
        let bids = listed.bids.into_iter().map(document);
        let mut bids = bids.collect::<Result<Vec<_>, DbError>>()?;
        let fitting = paging::fitting(&bids);
        if fitting >= bids.len() {
            return Ok(Self { bids, next_before: listed.next_before });
        }
        bids.truncate(fitting);
        let next_before = bids.last().and_then(|bid| bid.sequence);
        Ok(Self { bids, next_before })
    }
}

/// What would become of a bid.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = BidVerdict)]
pub struct VerdictDocument {
    pub accepted: bool,
    /// In base units; null where the bid can't be normalized.
    #[schema(value_type = Option<String>)]
    pub normalized_amount: Option<Normalized>,
    #[schema(value_type = Vec<ViolationDocument>)]
    pub violations: Vec<Violation>,
}

/// A broken rule: what was required and what was given.
#[derive(ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = Violation)]
pub struct ViolationDocument {
    #[schema(example = "MIN_INCREMENT")]
    pub code: String,
    pub rule_id: Option<String>,
    pub message: String,
    pub required: Option<String>,
    pub actual: Option<String>,
    pub denomination: Option<String>,
}

impl From<Acceptance> for VerdictDocument {
    fn from(accepted: Acceptance) -> Self {
        Self { accepted: true, normalized_amount: Some(accepted.normalized), violations: Vec::new() }
    }
}

impl From<Rejection> for VerdictDocument {
    fn from(Rejection { normalized, violations }: Rejection) -> Self {
        Self { accepted: false, normalized_amount: normalized, violations }
    }
}
