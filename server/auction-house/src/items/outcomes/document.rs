//! Outcomes in responses (SPEC, section 3).

use rules_engine::EnteredCount;
use rules_engine::money::Normalized;
use serde::Serialize;
use serde_json::value::RawValue;
use utoipa::ToSchema;

use super::list::{ListedOutcome, OutcomePage};
use super::{Outcome, OutcomeResult, ResultKind, SoldBid};
use crate::auctions::people::PeopleShown;
use crate::engine::json_number;
use crate::engine_schema::answered_amount;
use crate::ids::{CurrencyId, ItemId};
use accounts::person::PersonDocument;
use platform::db::DbError;
use platform::time::Moment;

/// What became of a closed item, as one viewer may see it.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = Outcome)]
pub struct OutcomeDocument {
    #[schema(value_type = String, format = "uuid")]
    pub item_id: ItemId,
    /// The copy of the item, from 1 on.
    pub copy: i64,
    /// 1, 2, 3 … within the copy: the last one is in force.
    pub number: i64,
    pub result: ResultKind,
    /// With the name at the time of the sale. Null also where the viewer may not know.
    pub winner: Option<PersonDocument>,
    /// What the item was sold for.
    pub bid: Option<SoldBidDocument>,
    /// Null also where the viewer may not know the winner, except for a cancellation.
    pub reason: Option<String>,
    /// Null if the clock closed the item. Null also where the viewer may not know.
    pub by: Option<PersonDocument>,
    #[schema(value_type = Option<String>, format = DateTime)]
    pub paid_at: Option<Moment>,
    #[schema(value_type = Option<String>, format = DateTime)]
    pub collected_at: Option<Moment>,
    #[schema(value_type = String, format = DateTime)]
    pub created_at: Moment,
}

/// What an item was sold for.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = SoldBid)]
pub struct SoldBidDocument {
    /// The bid of the winner, who may pay less where bids were sealed. Null for a correction, which is no
    /// bid.
    pub sequence: Option<i64>,
    /// The entered amount, an exact number; null in DENOMINATION mode.
    #[schema(schema_with = answered_amount, required = true)]
    pub amount: Option<Box<RawValue>>,
    /// The counts above zero, in the profile's order; null in SCALAR mode.
    #[schema(value_type = Option<Vec<Object>>)]
    pub entered_representation: Option<Vec<EnteredCount>>,
    /// Null in an auction without currency profiles.
    #[schema(value_type = Option<String>, format = "uuid")]
    pub currency_profile_id: Option<CurrencyId>,
    /// In base units.
    #[schema(value_type = String)]
    pub normalized_amount: Normalized,
}

impl OutcomeDocument {
    pub fn of(
        item_id: ItemId,
        outcome: Outcome,
        shows_winner: bool,
        people: &PeopleShown,
    ) -> Result<Self, DbError> {
        let result = outcome.kind();
        let reason = outcome.shown_reason(shows_winner && !people.is_to_outsiders()).map(str::to_owned);
        let (winner, bid) = match outcome.result {
            OutcomeResult::Sold(sold) => (Some(sold.winner.clone()), Some(SoldBidDocument::of(*sold)?)),
            OutcomeResult::Unsold | OutcomeResult::Cancelled => (None, None),
        };
        Ok(Self {
            item_id,
            copy: outcome.copy,
            number: outcome.number,
            result,
            winner: winner.and_then(|winner| people.person(winner, shows_winner)),
            bid,
            reason,
            by: outcome.by.and_then(|by| people.person(by, true)),
            paid_at: outcome.paid_at,
            collected_at: outcome.collected_at,
            created_at: outcome.created_at,
        })
    }
}

impl SoldBidDocument {
    fn of(sold: SoldBid) -> Result<Self, DbError> {
        Ok(Self {
            sequence: sold.sequence,
            amount: sold.entered.amount.map(json_number).transpose()?,
            entered_representation: sold.entered.entered_representation,
            currency_profile_id: sold.currency_id,
            normalized_amount: sold.normalized,
        })
    }
}

/// A page of the outcomes of an auction, in the order in which they were created.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = Outcomes)]
pub struct OutcomesDocument {
    pub outcomes: Vec<OutcomeDocument>,
    pub next_cursor: Option<String>,
}

impl OutcomesDocument {
    pub fn of(page: OutcomePage, people: &PeopleShown) -> Result<Self, DbError> {
        let document = |listed: ListedOutcome| {
            OutcomeDocument::of(listed.stored.item_id, listed.stored.outcome, listed.shows_winner, people)
        };
        let page = page.try_map(document)?.within_bytes();
        Ok(Self { outcomes: page.entries, next_cursor: page.next_cursor })
    }
}
