//! Bids of clerks for members, in SQL.

use rules_engine::ViolationCode;

use crate::bids::{Bid, ByClerk};
use crate::ids::UserId;
use accounts::Person;
use platform::db::{BulkStatement, DbError, Json, WriteBatch, bulk_statement, json, row};

/// The columns of a bid that a clerk has placed, all absent or all present but the name.
#[derive(sqlx_macros::FromRow)]
pub(super) struct StoredClerk {
    clerk_id: Option<UserId>,
    clerk_name: Option<String>,
    overridden: Option<Json<Vec<ViolationCode>>>,
}

impl StoredClerk {
    /// How a clerk has placed the bid, if one has.
    pub(super) fn read(self) -> Option<ByClerk> {
        let name = self.clerk_name.unwrap_or_else(|| Person::DELETED.to_owned());
        let overridden = self.overridden.map(|codes| codes.0).unwrap_or_default();
        Some(ByClerk { clerk: Person { id: self.clerk_id?, name }, overridden })
    }
}

/// Adds which of these bids clerks have placed.
pub fn insert<'a>(writes: &mut WriteBatch, bids: impl Iterator<Item = &'a Bid>) -> Result<(), DbError> {
    const STATEMENT: BulkStatement = bulk_statement!(insert clerk_bids [
        item_id uuid, sequence bigint, placed_by uuid, overridden text,
    ]);
    let by_clerk = bids.filter_map(|bid| Some((bid, bid.by_clerk.as_ref()?)));
    let rows = by_clerk.map(|(bid, by_clerk)| {
        let ByClerk { clerk, overridden } = &**by_clerk;
        Ok(row![bid.item_id, bid.sequence, clerk.id, json(overridden)?])
    });
    writes.add(STATEMENT, rows.collect::<Result<Vec<_>, DbError>>()?);
    Ok(())
}
