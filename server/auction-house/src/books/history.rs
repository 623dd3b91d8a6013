//! What a holder had over time.

use rules_engine::money::Normalized;

use super::{BookView, store};
use crate::ids::UserId;
use platform::db::{Connection, DbError};
use platform::time::Moment;

/// Entries of a holder that are read.
const ENTRIES_MAX: i64 = 500;
/// Points that a drawing has room for.
const POINTS_MAX: usize = 60;

/// The balance of a holder after some of the newest entries, the oldest first. Holders who do not keep the
/// book see their own.
pub async fn balances_over_time(
    conn: &mut Connection,
    seen: &BookView,
    holder: UserId,
) -> Result<Vec<(Moment, Normalized)>, DbError> {
    let holder = if seen.role.keeps() { holder } else { seen.viewer };
    let mut balances = store::entries::balances(conn, seen.book.id, holder, ENTRIES_MAX).await?;
    balances.reverse();
    Ok(thinned(&balances))
}

/// At most 60 of these points, the first and the last among them.
pub fn thinned<T: Copy>(points: &[T]) -> Vec<T> {
    let last = points.len().saturating_sub(1);
    if last < POINTS_MAX {
        return points.to_vec();
    }
    let at = |point: usize| points.get(point.saturating_mul(last).checked_div(POINTS_MAX - 1)?).copied();
    (0..POINTS_MAX).filter_map(at).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn many_points_become_few() {
        assert_eq!(thinned(&[1, 2, 3]), [1, 2, 3]);
        let many: Vec<usize> = (0..1_000).collect();
        let few = thinned(&many);
        assert_eq!((few.len(), few.first(), few.last()), (POINTS_MAX, Some(&0), Some(&999)));
        assert!(few.is_sorted_by(|a, b| a < b));
        assert!(thinned::<u8>(&[]).is_empty());
    }
}
