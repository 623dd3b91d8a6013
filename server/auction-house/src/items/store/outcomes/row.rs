//! An outcome as queries select and read it, with the bid that the item was sold for.

use rules_engine::EnteredCount;
use rules_engine::money::{Amount, Normalized};

use crate::engine::entered;
use crate::ids::{CurrencyId, ItemId, UserId};
use crate::items::outcomes::{Outcome, OutcomeResult, ResultKind, SoldBid};
use accounts::Person;
use platform::db::{DbError, Json, Parsed};
use platform::time::Moment;

/// The columns of an [`OutcomeRow`], from [`OUTCOME_TABLES`].
pub(in crate::items::store) const OUTCOME_COLUMNS: &str = "o.copy AS outcome_copy, o.number AS outcome_number, o.result AS outcome_result, o.sequence AS outcome_sequence, o.winner_id,
         o.winner_name, o.reason AS outcome_reason, o.by_id, y.name AS by_name, o.paid_at, o.collected_at,
         o.created_at AS decided_at,
         COALESCE(o.currency_profile_id, w.currency_profile_id) AS sold_profile_id,
         COALESCE(o.amount, w.amount) AS sold_amount,
         COALESCE(o.representation, w.representation) AS sold_representation,
         COALESCE(o.normalized_amount, w.normalized_amount) AS sold_normalized,
         w.is_anonymous AS sold_is_anonymous";

/// The bid `w` that an outcome `o` was sold for, if it was one, and the user `y` who decided it.
pub(in crate::items::store) const OUTCOME_TABLES: &str =
    " LEFT JOIN bids w ON w.auction_id = o.auction_id AND w.position = o.position
         LEFT JOIN users y ON y.id = o.by_id ";

/// An outcome as stored. All is absent for an item without one.
#[derive(sqlx_macros::FromRow)]
pub(in crate::items::store) struct OutcomeRow {
    outcome_copy: Option<i64>,
    outcome_number: Option<i64>,
    outcome_result: Option<ResultKind>,
    outcome_sequence: Option<i64>,
    winner_id: Option<UserId>,
    winner_name: Option<String>,
    outcome_reason: Option<String>,
    by_id: Option<UserId>,
    by_name: Option<String>,
    paid_at: Option<Moment>,
    collected_at: Option<Moment>,
    decided_at: Option<Moment>,
    sold_profile_id: Option<CurrencyId>,
    sold_amount: Option<Parsed<Amount>>,
    sold_representation: Option<Json<Vec<EnteredCount>>>,
    sold_normalized: Option<Parsed<Normalized>>,
    sold_is_anonymous: Option<bool>,
}

impl OutcomeRow {
    /// The outcome of the item, if it has one.
    pub(in crate::items::store) fn read(self, item_id: ItemId) -> Result<Option<Outcome>, DbError> {
        let (Some(copy), Some(number), Some(kind), Some(created_at)) =
            (self.outcome_copy, self.outcome_number, self.outcome_result, self.decided_at)
        else {
            return Ok(None);
        };
        let name = |name: Option<String>| name.unwrap_or_else(|| Person::DELETED.to_owned());
        Ok(Some(Outcome {
            copy,
            number,
            reason: self.outcome_reason.clone(),
            by: self.by_id.map(|id| Person { id, name: name(self.by_name.clone()) }),
            paid_at: self.paid_at,
            collected_at: self.collected_at,
            created_at,
            result: match kind {
                ResultKind::Sold => OutcomeResult::Sold(Box::new(self.sold(item_id)?)),
                ResultKind::Unsold => OutcomeResult::Unsold,
                ResultKind::Cancelled => OutcomeResult::Cancelled,
            },
        }))
    }

    fn sold(self, item_id: ItemId) -> Result<SoldBid, DbError> {
        let lacks = |column: &str| DbError::missing("outcomes", column, item_id);
        Ok(SoldBid {
            winner: Person {
                id: self.winner_id.ok_or_else(|| lacks("winner_id"))?,
                name: self.winner_name.ok_or_else(|| lacks("winner_name"))?,
            },
            is_anonymous: self.sold_is_anonymous.unwrap_or(self.outcome_sequence.is_some()),
            sequence: self.outcome_sequence,
            currency_id: self.sold_profile_id,
            entered: entered(self.sold_amount.map(|amount| amount.0.into()), self.sold_representation),
            normalized: self.sold_normalized.ok_or_else(|| lacks("normalized_amount"))?.0,
        })
    }
}
