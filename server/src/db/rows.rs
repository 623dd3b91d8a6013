//! Many rows in one statement. Its text depends on their number, and each text is prepared once: so rows go in
//! numbers that are powers of two, of which there are few.

use sqlx::QueryBuilder;

/// Rows in one statement, at most.
const ROWS_MAX: usize = 64;

/// A statement that is put together.
pub type Statement = QueryBuilder<<super::Connection as sqlx::Connection>::Database>;

/// The rows in groups for one statement each, for what must not see a row twice.
pub fn split<T>(mut rows: &[T]) -> impl Iterator<Item = &[T]> {
    std::iter::from_fn(move || {
        let most = rows.len().min(ROWS_MAX);
        let (group, rest) = rows.split_at(if most == 0 { return None } else { 1 << most.ilog2() });
        rows = rest;
        Some(group)
    })
}

/// The rows in fewer groups, for what may see a row twice: the last row fills a group up.
pub fn padded<T: Clone>(rows: &[T]) -> impl Iterator<Item = Vec<T>> {
    rows.chunks(ROWS_MAX).map(|group| {
        let mut group = group.to_vec();
        if let Some(last) = group.last().cloned() {
            group.resize(group.len().next_power_of_two(), last);
        }
        group
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_is_in_one_group() {
        for count in [0, 1, 2, 3, 31, 64, 65, 512] {
            let rows: Vec<usize> = (0..count).collect();
            let groups: Vec<&[usize]> = split(&rows).collect();
            assert_eq!(groups.concat(), rows);
            assert!(groups.iter().all(|group| group.len().is_power_of_two() && group.len() <= ROWS_MAX));
        }
    }

    #[test]
    fn padding_repeats_the_last_row() {
        let groups: Vec<Vec<usize>> = padded(&[1, 2, 3]).collect();
        assert_eq!(groups, [vec![1, 2, 3, 3]]);
        assert_eq!(padded::<usize>(&[]).count(), 0);
        assert_eq!(padded(&[0; 70]).map(|group| group.len()).collect::<Vec<_>>(), [64, 8]);
    }
}
