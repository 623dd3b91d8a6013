//! A text of sections: `#`, a name and the names of the columns, separated by tabs, above rows with tabs.

use super::list::List;
use super::{COLUMNS_MAX, LISTS_MAX, ListError, ROWS_MAX};

/// The name and the columns of a section, if the line begins one.
fn heading(line: &str) -> Option<(&str, Vec<&str>)> {
    let mut parts = line.strip_prefix("#\t")?.split('\t');
    let (name, columns) = (parts.next()?, parts.next()?);
    let columns: Vec<&str> = columns.split(',').map(str::trim).collect();
    (parts.next().is_none() && columns.len() > 1).then_some((name, columns))
}

/// Whether a text that begins with `#` has sections.
pub(super) fn begin(text: &str) -> bool {
    text.starts_with("#\t") && text.lines().any(|line| heading(line).is_some())
}

pub(super) fn read(text: &str) -> Result<Vec<List>, ListError> {
    let mut lists: Vec<List> = Vec::new();
    let mut is_within = false;
    for line in text.lines() {
        if let Some((name, columns)) = heading(line) {
            if lists.len() == LISTS_MAX {
                return Err(ListError::TooLarge("100 lists"));
            }
            is_within = true;
            let headings = columns.into_iter().take(COLUMNS_MAX).map(str::to_owned).collect();
            lists.push(List { name: name.to_owned(), headings, rows: Vec::new() });
            continue;
        }
        is_within &= !line.starts_with('#') && !line.trim().is_empty();
        if let Some(list) = lists.last_mut().filter(|list| is_within && list.rows.len() < ROWS_MAX) {
            let cells = line.split('\t').take(COLUMNS_MAX).map(|cell| cell.trim().to_owned());
            let row: Vec<(usize, String)> = cells.enumerate().collect();
            // A row may have more cells than the columns that are named.
            let width = list.headings.len().max(row.len());
            list.headings.resize(width, String::new());
            list.rows.push(row);
        }
    }
    Ok(lists)
}
