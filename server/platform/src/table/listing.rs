//! Rows and errors of a table, up to what an answer has room for.

use serde::Serialize;

use crate::fields::FieldError;
use crate::paging::fitting_in;

/// Bytes of the errors of a table that are listed, as JSON. With the rest of a preview they are within what
/// an answer may have.
const ERRORS_BYTES_MAX: usize = 96 * 1024;
/// Bytes of the rows of a preview that are listed, as JSON.
const ROWS_BYTES_MAX: usize = 144 * 1024;

/// The first errors of a table, as many as an answer has room for. The last one then says how many more there
/// are.
pub fn listed(mut errors: Vec<FieldError>) -> Vec<FieldError> {
    let fitting = fitting_in(ERRORS_BYTES_MAX, &errors);
    let more = errors.len() - fitting;
    if more > 0 {
        errors.truncate(fitting);
        let words = if more == 1 { "1 more is wrong".to_owned() } else { format!("{more} more are wrong") };
        errors.push(FieldError::new("rows", format!("{words}: only the first ones are listed")));
    }
    errors
}

/// Leaves out the rows of a preview for which an answer has no room, and returns how many.
pub fn cut_rows<T: Serialize>(rows: &mut Vec<T>) -> usize {
    cut_to(ROWS_BYTES_MAX, rows)
}

/// Leaves out rows of either list for which an answer has no room, and returns how many.
pub fn cut_lists<T: Serialize, U: Serialize>(rows: &mut Vec<T>, others: &mut Vec<U>) -> usize {
    if others.is_empty() {
        return cut_rows(rows);
    }
    cut_to(ROWS_BYTES_MAX / 2, rows) + cut_to(ROWS_BYTES_MAX / 2, others)
}

fn cut_to<T: Serialize>(bytes: usize, rows: &mut Vec<T>) -> usize {
    let fitting = fitting_in(bytes, rows);
    let more = rows.len() - fitting;
    rows.truncate(fitting);
    more
}

/// Whether no rows are left out.
pub fn is_zero(rows: &usize) -> bool {
    *rows == 0
}

/// The path of the errors of a row.
pub fn row_path(number: usize) -> String {
    format!("row {number}")
}

/// The row of a path of its errors.
pub fn row_of_path(path: &str) -> Option<usize> {
    path.strip_prefix("row ")?.parse().ok()
}
