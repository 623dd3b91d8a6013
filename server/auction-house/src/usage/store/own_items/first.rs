//! The first items of each list of the dashboard. The database chooses them, so that a user with thousands of
//! items costs no thousands of rows.

use super::{CountedRow, NEWEST_BID_ON, SOLD, WATCHED, greatest};
use crate::ids::UserId;
use crate::usage::{First, FirstBidOn, NEWEST_BID_WITHIN};
use platform::db::{Connection, DbError, concatcp, query};
use platform::time::Moment;

/// The newest items of a user that are read to choose the first ones. A list of more is not counted.
const READ_MAX: i64 = 1_000;

/// Open items first, the next to end first and those without an end last; then the others, the last to end
/// first.
const BY_END: &str = "has_ended, CASE WHEN has_ended THEN -ends_at ELSE ends_at END NULLS LAST, item_id";

/// The first `$6` of the rows of `own` that fulfil a condition, what is due before the others.
macro_rules! first_of_bids {
    ($condition:literal) => {
        concatcp!(
            "SELECT * FROM (SELECT * FROM own WHERE ",
            $condition,
            " ORDER BY is_due DESC, ",
            BY_END,
            " LIMIT $6) AS list"
        )
    };
}

/// Counts the rows of `own`, and selects the first `$5` of them. The counts are in every row, of which there
/// is one without an item if `own` has none.
macro_rules! first_of {
    ($own:expr) => {
        concatcp!(
            "WITH own AS MATERIALIZED (",
            $own,
            ") SELECT counts.*, list.* FROM (SELECT COUNT(*) AS read_items FROM own) AS counts
               LEFT JOIN (SELECT * FROM own ORDER BY ",
            BY_END,
            " LIMIT $5) AS list ON TRUE ORDER BY ",
            BY_END
        )
    };
}

/// The first `shown` items that the user is outbid on, leads and has won, of the newest on which the user has
/// a standing bid.
pub async fn first_bid_on(
    conn: &mut Connection,
    user_id: UserId,
    shown: usize,
    now: Moment,
) -> Result<FirstBidOn, DbError> {
    let found: Vec<FirstBidRow> = query(concatcp!(
        "WITH own AS MATERIALIZED (",
        NEWEST_BID_ON,
        "), list AS (",
        first_of_bids!("NOT has_ended AND NOT is_ahead"),
        " UNION ALL ",
        first_of_bids!("NOT has_ended AND is_ahead"),
        " UNION ALL ",
        first_of_bids!("has_ended AND is_ahead"),
        ") SELECT counts.*, list.*
           FROM (SELECT COUNT(*) AS read_items,
                        COUNT(*) FILTER (WHERE NOT has_ended AND NOT is_ahead) AS outbid,
                        COUNT(*) FILTER (WHERE NOT has_ended AND is_ahead) AS leading,
                        COUNT(*) FILTER (WHERE has_ended AND is_ahead) AS won
                 FROM own) AS counts
           LEFT JOIN list ON TRUE ORDER BY is_due DESC, ",
        BY_END
    ))
    .bind(user_id)
    .bind(now)
    .bind(NEWEST_BID_WITHIN)
    .bind(greatest())
    .bind(READ_MAX)
    .bind(number(shown))
    .fetch_all(conn)
    .await?;
    let list = |count: fn(&FirstBidRow) -> i64, has_ended, is_ahead| {
        let count = found.first().and_then(|row| counted(row.item.read_items, count(row)));
        let of_list = found
            .iter()
            .filter(|row| row.item.has_ended == Some(has_ended) && row.is_ahead == Some(is_ahead));
        First { items: of_list.filter_map(|row| row.item.item()).collect(), count }
    };
    Ok(FirstBidOn {
        outbid: list(|row| row.outbid, false, false),
        leading: list(|row| row.leading, false, true),
        won: list(|row| row.won, true, true),
    })
}

/// The first `shown` items of the newest that the user watches.
pub async fn first_watched(
    conn: &mut Connection,
    user_id: UserId,
    shown: usize,
    now: Moment,
) -> Result<First, DbError> {
    first_items(conn, first_of!(WATCHED), user_id, shown, now).await
}

/// The first `shown` items of the newest that the user sells.
pub async fn first_sold(
    conn: &mut Connection,
    user_id: UserId,
    shown: usize,
    now: Moment,
) -> Result<First, DbError> {
    first_items(conn, first_of!(SOLD), user_id, shown, now).await
}

async fn first_items(
    conn: &mut Connection,
    sql: &'static str,
    user_id: UserId,
    shown: usize,
    now: Moment,
) -> Result<First, DbError> {
    let found: Vec<CountedRow> = query(sql)
        .bind(user_id)
        .bind(now)
        .bind(greatest())
        .bind(READ_MAX)
        .bind(number(shown))
        .fetch_all(conn)
        .await?;
    let count = found.first().and_then(|row| counted(row.read_items, row.read_items));
    Ok(First { items: found.iter().filter_map(CountedRow::item).collect(), count })
}

#[derive(sqlx_macros::FromRow)]
struct FirstBidRow {
    #[sqlx(flatten)]
    item: CountedRow,
    outbid: i64,
    leading: i64,
    won: i64,
    is_ahead: Option<bool>,
}

/// The count of a list, unless there may be more items than were read.
fn counted(read_items: i64, count: i64) -> Option<usize> {
    if read_items < READ_MAX { usize::try_from(count).ok() } else { None }
}

fn number(shown: usize) -> i64 {
    i64::try_from(shown).unwrap_or(i64::MAX)
}
