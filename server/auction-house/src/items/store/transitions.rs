//! Items that the clock opens and closes. Nothing is written when that happens, so they are found by their
//! times.

use crate::ids::{AuctionId, ItemId};
use platform::db::{Connection, DbError, query_scalar};
use platform::time::Moment;

/// Items of one reading, at most.
const ITEMS_MAX: usize = 1000;

/// How far an auction's transitions have been read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TransitionProgress {
    /// All transitions up to this moment.
    at: Moment,
    /// A later range that was read in part: its end, and the id of the last item read.
    partly: Option<(Moment, ItemId)>,
}

impl TransitionProgress {
    pub fn all_until(at: Moment) -> Self {
        Self { at, partly: None }
    }

    /// Whether the last reading left items out.
    pub fn has_more(self) -> bool {
        self.partly.is_some()
    }

    /// The items of an auction that have begun or ended by the clock since, as far as one reading goes, and
    /// the progress with them.
    pub async fn read_on(
        self,
        conn: &mut Connection,
        auction_id: AuctionId,
        now: Moment,
    ) -> Result<(Vec<ItemId>, Self), DbError> {
        let (until, past) = self.partly.map_or((now, None), |(until, past)| (until, Some(past)));
        let ids = between(conn, auction_id, (self.at, until), past).await?;
        let last = ids.last().filter(|_| ids.len() == ITEMS_MAX);
        let progress = match last {
            Some(last) => Self { at: self.at, partly: Some((until, *last)) },
            None => Self::all_until(until),
        };
        Ok((ids, progress))
    }
}

async fn between(
    conn: &mut Connection,
    auction_id: AuctionId,
    (after, until): (Moment, Moment),
    past: Option<ItemId>,
) -> Result<Vec<ItemId>, DbError> {
    query_scalar(
        "SELECT i.id FROM items_now i
         WHERE i.auction_id = $1 AND i.closed_for_good_at IS NULL AND ($4 IS NULL OR i.id > $4)
           AND ((i.starts_at > $2 AND i.starts_at <= $3) OR (i.ends_at > $2 AND i.ends_at <= $3))
         ORDER BY i.id LIMIT $5",
    )
    .bind(auction_id)
    .bind(after)
    .bind(until)
    .bind(past)
    .bind(i64::try_from(ITEMS_MAX).unwrap_or(i64::MAX))
    .fetch_all(conn)
    .await
}

/// When the next item of an auction begins or ends by the clock.
pub async fn next(
    conn: &mut Connection,
    auction_id: AuctionId,
    now: Moment,
) -> Result<Option<Moment>, DbError> {
    query_scalar(
        "SELECT MIN(moment) FROM (
             SELECT starts_at AS moment FROM items WHERE auction_id = $1 AND closed_at IS NULL
             UNION ALL
             SELECT ends_at FROM items_now WHERE auction_id = $1 AND closed_for_good_at IS NULL
         ) AS transitions WHERE moment > $2",
    )
    .bind(auction_id)
    .bind(now)
    .fetch_one(conn)
    .await
}
