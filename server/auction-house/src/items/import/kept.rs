//! The record of an import of items: its counts, and what it needs to be undone.

use super::before;
use crate::access::Action;
use crate::auctions::access::{AuctionView, authorize};
use crate::ids::{AuctionId, ImportId, UserId};
use crate::imports::{self, Counts, ImportPlace, WrittenRow};
use crate::items::Item;
use platform::db::{Connection, DbError};
use platform::ids::{Id, Uuid};
use platform::time::Moment;
use platform::verb::AccessError;

/// An import that is done. One that changes nothing is not kept.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Imported {
    pub id: Option<ImportId>,
    pub counts: Counts,
}

/// The import of a request, as it is kept with its key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Recorded {
    Kept(ImportId),
    /// An import of so many rows that change nothing.
    Nothing(u32),
}

impl Id for Recorded {
    fn of(uuid: Uuid) -> Self {
        match uuid.as_u64_pair() {
            // INVARIANT: the id of an import begins with the time, which is not 0.
            (0, unchanged) => Self::Nothing(u32::try_from(unchanged).unwrap_or(u32::MAX)),
            _ => Self::Kept(ImportId::of(uuid)),
        }
    }

    fn uuid(self) -> Uuid {
        match self {
            Self::Kept(id) => id.uuid(),
            Self::Nothing(unchanged) => Uuid::from_u64_pair(0, u64::from(unchanged)),
        }
    }
}

/// The imports of an auction that a user sees: those who may not assign items see the own ones.
pub(super) fn place(seen: &AuctionView) -> ImportPlace {
    let id = seen.auction.id;
    if seen.may(Action::AssignItems) { ImportPlace::all_of(id) } else { ImportPlace::own_of(id, seen.viewer) }
}

/// The imports of an auction, for a user who may import.
pub async fn place_of(
    conn: &mut Connection,
    auction_id: AuctionId,
    user: UserId,
    now: Moment,
) -> Result<ImportPlace, AccessError> {
    Ok(place(&authorize(conn, auction_id, user, now).await?.require(Action::AddItems)?))
}

/// The import of an earlier request.
pub(super) async fn recorded(
    conn: &mut Connection,
    auction_id: AuctionId,
    recorded: Recorded,
) -> Result<Imported, DbError> {
    match recorded {
        Recorded::Nothing(unchanged) => {
            Ok(Imported { id: None, counts: Counts { unchanged, ..Counts::default() } })
        }
        Recorded::Kept(id) => {
            let found = imports::store::find(conn, ImportPlace::all_of(auction_id), id).await?;
            let counts = found.map(|import| import.counts).unwrap_or_default();
            Ok(Imported { id: Some(id), counts })
        }
    }
}

/// The items that an import writes: with their versions after that, and those that it changes as they were.
pub(super) fn written(new: &[Item], changed: &[(Item, Item)]) -> Result<Vec<WrittenRow>, DbError> {
    let created = new
        .iter()
        .map(|item| Ok(WrittenRow { subject: item.id.uuid(), mark: item.version.to_string(), before: None }));
    let changed = changed.iter().map(|(had, item)| {
        let mark = (had.version + 1).to_string();
        Ok(WrittenRow { subject: item.id.uuid(), mark, before: Some(before::text(had, item)?) })
    });
    created.chain(changed).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_import_that_changes_nothing_is_kept_as_an_id_as_well() {
        let now = Moment::from_millis(1_700_000_000_000).unwrap();
        for recorded in [Recorded::Nothing(0), Recorded::Nothing(5_000), Recorded::Kept(ImportId::new(now))] {
            assert_eq!(Recorded::of(recorded.uuid()), recorded);
        }
    }
}
