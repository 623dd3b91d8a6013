//! Forms that import a table: how it is read, and the preview that shows it before it is imported.

use std::collections::HashMap;

use app::components::error_page::LoadError;
use app::components::import_form::FILE_ROWS;
use app::components::table_columns::{COLUMN, HEADER_ROW, PREVIEWED, WITHHELD};
use app::model::{Refused, TableColumn, TableLayout};
use platform::fields::FieldError;
use platform::http::problem::Problem;
use platform::lists;
use platform::table::{self, Column, HeadedColumn, Layout, Reading, listed, row_of_path};

use super::error::PageError;
use crate::state::AppState;

/// Headings of the filled columns that an import of a text does not read, as its further fields say.
pub type Unread = fn(&str, &[(String, String)]) -> Vec<String>;

/// The fields that say how a table is read, and which table was shown.
pub const FIELDS: [&str; 3] = [PREVIEWED, COLUMN, HEADER_ROW.name];

type Fields = [(String, String)];

/// How a form reads its table. Columns were chosen for the table of the preview: for another one they count
/// no more.
///
/// # Errors
/// The fields that can't be read.
pub fn reading(fields: &Fields, text: &str) -> Result<Reading, Vec<FieldError>> {
    let is_same = is_previewed(fields, text);
    let said = fields.iter().filter(|(name, _)| is_same || name != COLUMN);
    Reading::parse(said.map(|(name, value)| (name.as_str(), value.as_str())))
}

/// Whether columns of a table are left out that no preview has shown. The fields then say so.
pub async fn is_new(
    state: &AppState,
    fields: &mut Vec<(String, String)>,
    text: &str,
    unread: Unread,
) -> Result<bool, Problem> {
    if is_previewed(fields, text) {
        return Ok(false);
    }
    let (said, text) = (fields.clone(), text.to_owned());
    let unread = state.context.work.compute(move || unread(&text, &said)).await?;
    if unread.is_empty() {
        return Ok(false);
    }
    fields.push((WITHHELD.to_owned(), "true".to_owned()));
    Ok(true)
}

fn is_previewed(fields: &Fields, text: &str) -> bool {
    let previewed = fields.iter().find(|(name, _)| name == PREVIEWED);
    previewed.is_some_and(|(_, previewed)| *previewed == fingerprint(fields, text))
}

/// The rows of the table that a form is shown again with: those of its file, or the pasted ones. Empty for a
/// pasted text with lists of which none was read.
pub fn rows(refused: &Refused, pasted: &str) -> String {
    let pasted = || refused.value(pasted).filter(|text| !lists::are_in(text));
    refused.value(FILE_ROWS).or_else(pasted).unwrap_or_default().to_owned()
}

/// What names a table with the row of its header.
fn fingerprint(fields: &Fields, text: &str) -> String {
    let header_row = fields.iter().find(|(name, _)| name == HEADER_ROW.name);
    table::fingerprint(text, header_row.map_or("", |(_, row)| row.trim()))
}

/// The layout of a table on its page.
pub fn shown(layout: &Layout, columns: &[Column], refused: &Refused, text: &str) -> TableLayout {
    let is_shown = |column: &&HeadedColumn| (column.has_heading || column.is_filled) && !column.is_silent;
    let headed = layout.columns.iter().filter(is_shown);
    TableLayout {
        previewed: fingerprint(&refused.values, text),
        passed_over: layout.header_row.saturating_sub(1),
        others: layout.others,
        unread: layout.unread(),
        columns: headed
            .map(|column| TableColumn {
                heading: column.label.clone(),
                field: column.field,
                samples: column.samples.clone(),
            })
            .collect(),
        fields: columns.iter().map(Column::name).collect(),
    }
}

/// A preview, or the errors of the fields that do not fit its table.
///
/// # Errors
/// The user has imported too much, or the server is stopping.
pub fn or_errors<T>(
    preview: Result<T, Problem>,
    with_errors: impl FnOnce(Vec<FieldError>) -> T,
) -> Result<T, PageError> {
    preview.or_else(|problem| match problem.fields.is_empty() {
        true => Err(PageError(LoadError::Unavailable)),
        false => Ok(with_errors(problem.fields)),
    })
}

/// The errors of a preview that does not fit its table, for the list of the rows that are wrong.
pub fn explained(fields: Vec<FieldError>) -> Vec<(String, String)> {
    let words = |error: FieldError| match error.path.as_str() {
        COLUMN => ("The choice of a column".to_owned(), error.message),
        path if path == HEADER_ROW.name => {
            ("The row with the names of the columns".to_owned(), error.message)
        }
        _ => (error.path, error.message),
    };
    listed(together(fields)).into_iter().map(words).collect()
}

/// Ranges of rows that an error names.
const RANGES_MAX: usize = 8;

/// The errors, each once for all the rows that have it, at the place of the first.
fn together(errors: Vec<FieldError>) -> Vec<FieldError> {
    let mut rows: HashMap<String, Vec<usize>> = HashMap::new();
    for error in &errors {
        if let Some(row) = row_of_path(&error.path) {
            rows.entry(error.message.clone()).or_default().push(row);
        }
    }
    let once = |mut error: FieldError| {
        if row_of_path(&error.path).is_some() {
            let rows = rows.remove(&error.message)?;
            if rows.len() > 1 {
                error.path = format!("rows {}", ranges(rows));
            }
        }
        Some(error)
    };
    errors.into_iter().filter_map(once).collect()
}

/// Numbers in words, those that follow each other as a range: `2 to 121, 124`.
fn ranges(mut numbers: Vec<usize>) -> String {
    numbers.sort_unstable();
    numbers.dedup();
    let mut ranges = numbers.chunk_by(|one, next| one + 1 == *next);
    let shown: Vec<&[usize]> = ranges.by_ref().take(RANGES_MAX).collect();
    let more: usize = ranges.map(<[usize]>::len).sum();
    let in_words = |range: &&[usize]| match range {
        [first, .., last] if range.len() > 2 => format!("{first} to {last}"),
        few => few.iter().map(usize::to_string).collect::<Vec<_>>().join(", "),
    };
    let words = shown.iter().map(in_words).collect::<Vec<_>>().join(", ");
    if more > 0 { format!("{words} and {more} more") } else { words }
}

#[cfg(test)]
mod tests {
    use platform::table::row_path;

    use super::*;

    fn fields(given: &[(&str, &str)]) -> Vec<(String, String)> {
        given.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect()
    }

    #[test]
    fn an_error_of_many_rows_is_said_once() {
        let of = |row: usize, message: &str| FieldError::new(row_path(row), message);
        let mut errors: Vec<FieldError> = (2..122).map(|row| of(row, "needs a name")).collect();
        errors.insert(1, of(2, "has no price"));
        errors.extend([of(124, "needs a name"), of(125, "needs a name"), FieldError::new("columns", "…")]);
        let words = |errors| explained(errors).into_iter().map(|(rows, words)| format!("{rows}: {words}"));
        assert_eq!(
            words(errors).collect::<Vec<_>>(),
            ["rows 2 to 121, 124, 125: needs a name", "row 2: has no price", "columns: …"]
        );
        let scattered = words((1..50).map(|half| of(2 * half, "is wrong")).collect());
        assert_eq!(scattered.collect::<Vec<_>>(), ["rows 2, 4, 6, 8, 10, 12, 14, 16 and 41 more: is wrong"]);
    }

    #[test]
    fn a_table_is_the_one_of_the_preview_however_its_lines_end() {
        let seen = fingerprint(&[], "name\nMia\n");
        let given = fields(&[(PREVIEWED, &seen), (COLUMN, "name:Who")]);
        for same in ["name\r\nMia\r\n", "name\nMia", "name\rMia\r"] {
            assert!(is_previewed(&given, same), "{same:?}");
            assert_ne!(reading(&given, same), Ok(Reading::default()));
        }
        assert_eq!(reading(&given, "name\nAda\n"), Ok(Reading::default()), "columns of another table");
        let other_header = [given, fields(&[(HEADER_ROW.name, "2")])].concat();
        assert!(!is_previewed(&other_header, "name\nMia\n"));
        assert!(reading(&fields(&[(HEADER_ROW.name, "x")]), "").is_err());
    }
}
