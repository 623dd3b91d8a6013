//! Tables that are imported, as spreadsheets write them (SPEC, section 3).

mod column;
mod contents;
mod expected;
mod file;
mod header;
mod kinds;
mod layout;
mod listing;
mod quotation;
mod reading;
mod records;
mod wrong_rows;

use std::sync::Arc;

use self::column::{Vocabulary, address};
use self::header::Header;
use self::quotation::without_wrong_rows;
use self::records::{NO_SEPARATOR, Records, SEPARATORS, is_blank, named_separator};
use crate::csv_text::without_apostrophe;
use crate::fields::FieldError;
use crate::lists::Headless;
use crate::sheet;
use crate::text::composed;

pub use self::column::Column;
pub use self::contents::ContentHash;
pub use self::expected::Expected;
pub use self::file::{
    CSV_BYTES_MAX, NotATable, NotText, TEXT_BYTES_MAX, decode, list_of, lists_of, sheets_of, text_of,
};
pub use self::kinds::Kinds;
pub use self::layout::{HeadedColumn, Layout};
pub use self::listing::{cut_lists, cut_rows, is_zero, listed, row_of_path, row_path};
pub use self::reading::{COLUMN, HEADER_ROW, Reading, fingerprint};
pub use self::wrong_rows::WrongRows;

/// Characters of a cell that a message or a preview quotes, at most.
const EXCERPT_CHARS_MAX: usize = 40;
/// The first rows by which a table without a header is known.
const HEADLESS_ROWS: usize = 20;

/// A table with the cells of `N` columns.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Table<const N: usize> {
    /// Which of the columns the table has.
    pub has: [bool; N],
    pub rows: Vec<Row<N>>,
    /// Rows that can't be read.
    pub errors: Vec<FieldError>,
    pub layout: Layout,
}

/// A row with its cells in the order of the columns. The cell of an absent column is empty.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Row<const N: usize> {
    /// Number of the row in a spreadsheet, where the first row is 1.
    pub number: usize,
    /// In normal form C, without the blanks around them. The parts of a joined column have a blank between
    /// them.
    pub cells: [String; N],
    /// The columns of the cells in the spreadsheet.
    places: Arc<[Option<usize>; N]>,
}

/// Why a table as a whole can't be read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Unreadable {
    /// An error of the table, whose path is a row.
    Table(FieldError),
    /// The error of a table that lacks a column, of which another one may be chosen.
    Column(FieldError, Box<Layout>),
    /// An error of the request, whose path is a parameter that does not fit the table.
    Request(FieldError),
}

impl From<Unreadable> for FieldError {
    fn from(error: Unreadable) -> Self {
        match error {
            Unreadable::Table(error) | Unreadable::Column(error, _) | Unreadable::Request(error) => error,
        }
    }
}

impl<const N: usize> Row<N> {
    /// A cell in words, with its address in the spreadsheet: “`1e3` in C17”. The index is that of a column.
    pub fn cell(&self, column: usize) -> String {
        let cell = self.cells.get(column).map(|cell| excerpt(cell)).unwrap_or_default();
        match self.address(column) {
            Some(address) if cell.is_empty() => address,
            Some(address) => format!("`{cell}` in {address}"),
            None => format!("`{cell}`"),
        }
    }

    /// Removes a cell, such as a secret.
    pub fn take(&mut self, column: usize) -> String {
        self.cells.get_mut(column).map(std::mem::take).unwrap_or_default()
    }

    /// The address of a cell in the spreadsheet, such as C17. None if the table lacks the column.
    pub fn address(&self, column: usize) -> Option<String> {
        let place = self.places.get(column).copied().flatten()?;
        Some(address(place, self.number))
    }
}

/// The beginning of a cell.
fn excerpt(cell: &str) -> String {
    match cell.char_indices().nth(EXCERPT_CHARS_MAX) {
        Some((end, _)) => format!("{}…", cell.get(..end).unwrap_or_default()),
        None => cell.to_owned(),
    }
}

/// A text as a separator divides it.
struct Divided<'t> {
    separator: u8,
    text: std::borrow::Cow<'t, str>,
    /// Rows with wrong quotation marks, by their numbers.
    errors: Vec<(usize, FieldError)>,
    header: Option<Header>,
}

impl<'t> Divided<'t> {
    fn by(separator: u8, text: &'t str, words: &Vocabulary, reading: &Reading) -> Self {
        let (text, errors) = without_wrong_rows(text, separator);
        let header = header::find(&text, separator, words, reading);
        Self { separator, text, errors, header }
    }

    /// The columns and the cells of the header.
    fn columns(&self) -> (usize, usize) {
        self.header.as_ref().map_or((0, 0), |header| (header.named, header.headings.len()))
    }
}

/// The text as the separator divides it that names most columns, and of those the one with most cells.
fn divided<'t>(text: &'t str, words: &Vocabulary, reading: &Reading) -> Divided<'t> {
    let by = |separator: u8| Divided::by(separator, text, words, reading);
    let separators = SEPARATORS.into_iter().filter(|separator| text.contains(char::from(*separator)));
    let best = separators.rev().map(by).max_by_key(Divided::columns);
    best.filter(|best| best.columns().1 > 1).unwrap_or_else(|| by(NO_SEPARATOR))
}

/// A text without a header as a separator divides it, if its first rows are known by what is in them.
fn headless<'t>(
    text: &'t str,
    separators: &[u8],
    headings: Headless,
    reading: &Reading,
) -> Option<Divided<'t>> {
    if reading.header_row.is_some() {
        return None;
    }
    separators.iter().find_map(|separator| {
        let (text, errors) = without_wrong_rows(text, *separator);
        let first =
            Records::of(&text, *separator).filter(|(_, record)| !is_blank(record)).take(HEADLESS_ROWS);
        let first: Vec<Vec<String>> =
            first.map(|(_, record)| record.iter().map(|cell| cell.trim().to_owned()).collect()).collect();
        let headings = headings(&first)?.into_iter().map(str::to_owned).collect();
        let header = Header { row: 0, headings, named: 0 };
        Some(Divided { separator: *separator, text, errors, header: Some(header) })
    })
}

/// A text without the line that names its separator, if that is found without it. Spreadsheets hide the line.
pub fn without_named_separator(text: String, columns: &[Column]) -> String {
    let (named, rest) = named_separator(&text);
    let found = || divided(rest, &Vocabulary::of(columns), &Reading::default()).separator;
    let rest = named.filter(|named| *named == found()).map(|_| rest.to_owned());
    rest.unwrap_or(text)
}

impl<const N: usize> Table<N> {
    /// Reads a table of at most `rows_max` rows below its header. Blank rows do not count.
    ///
    /// # Errors
    /// Why the table as a whole can't be read.
    pub fn read(
        text: &str,
        columns: &[Column; N],
        reading: &Reading,
        rows_max: usize,
    ) -> Result<Self, Unreadable> {
        Self::read_expected(text, columns, &Expected::default(), reading, rows_max)
    }

    /// Reads a table as [`Self::read`] does. Rows of other kinds do not count, if it has several, and a table
    /// without a header may be known by its rows.
    ///
    /// # Errors
    /// Why the table as a whole can't be read.
    pub fn read_expected(
        text: &str,
        columns: &[Column; N],
        expected: &Expected,
        reading: &Reading,
        rows_max: usize,
    ) -> Result<Self, Unreadable> {
        // Lines end alike, so that they can be counted.
        let text = text.trim_start_matches('\u{feff}').replace("\r\n", "\n").replace('\r', "\n");
        let (named, text) = named_separator(&text);
        let words = Vocabulary::of(columns);
        let separators = named.as_ref().map_or(SEPARATORS.as_slice(), std::slice::from_ref);
        let headless = expected.headless.and_then(|headings| headless(text, separators, headings, reading));
        let Divided { separator, text, mut errors, header } = match (headless, named) {
            (Some(headless), _) => headless,
            (None, Some(separator)) => Divided::by(separator, text, &words, reading),
            (None, None) => divided(text, &words, reading),
        };
        // Rows above a header that the request chooses are not read.
        errors.retain(|(row, _)| reading.header_row.is_none_or(|header| *row >= header));
        let mut errors = errors.into_iter().map(|(_, error)| error).peekable();
        if let Some(error) = errors.next_if(|_| header.is_none()) {
            return Err(Unreadable::Table(error));
        }
        let kinds = expected.kinds;
        let kinds = kinds.and_then(|kinds| Some((kinds.place(&header.as_ref()?.headings)?, kinds.read)));
        let (places, mut layout, missing) = header::places(header, columns, &words, reading, separator)?;
        // A request may read the column as a field: then it has no kinds.
        let kinds = kinds.filter(|(at, _)| layout.takes_kinds(*at));
        let header_row = layout.header_row;
        if let Some(error) = missing {
            let below = Records::of(&text, separator).filter(|(row, _)| *row > header_row).take(rows_max);
            below.filter(|(_, record)| !is_blank(record)).for_each(|(_, record)| layout.note(&record));
            return Err(Unreadable::Column(error, Box::new(layout)));
        }
        let first_places = Arc::new(std::array::from_fn(|column| places.get(column)?.first().copied()));
        let has = first_places.map(|place| place.is_some());
        let errors = errors.collect();
        let mut table = Self { has, rows: Vec::new(), errors, layout };
        let width = table.layout.columns.len();
        let below = Records::of(&text, separator).filter(|(row, _)| *row > header_row);
        for (number, record) in below.filter(|(_, record)| !is_blank(record)) {
            if kinds.is_some_and(|(at, read)| record.get(at).is_some_and(|kind| kind.trim() != read)) {
                table.layout.pass_over(number);
                continue;
            }
            if table.rows.len() + table.errors.len() == rows_max {
                let message = format!("is one too many: a table has at most {rows_max} rows");
                return Err(Unreadable::Table(FieldError::new(row_path(number), message)));
            }
            table.layout.note(&record);
            if record.iter().skip(width).any(|cell| !cell.trim().is_empty()) {
                table.errors.push(FieldError::new(row_path(number), "has more cells than the header"));
            } else if record.iter().any(|cell| cell.contains('\0')) {
                table.errors.push(FieldError::new(row_path(number), "must not contain the character NUL"));
            } else if let Some(error) = wrong_cell(&record, &places, number) {
                table.errors.push(FieldError::new(row_path(number), error));
            } else {
                let cells = places.each_ref().map(|places| joined(&record, places));
                table.rows.push(Row { number, cells, places: Arc::clone(&first_places) });
            }
        }
        if table.rows.is_empty() && table.errors.is_empty() {
            let message = "is missing: there are no rows below the header";
            return Err(Unreadable::Table(FieldError::new(row_path(header_row + 1), message)));
        }
        Ok(table)
    }
}

/// Returns what is wrong with the first cell that is read and has an error instead of a value.
fn wrong_cell<const N: usize>(
    record: &csv::StringRecord,
    places: &[Vec<usize>; N],
    row: usize,
) -> Option<String> {
    let cells = places.iter().flatten().filter_map(|place| Some((*place, record.get(*place)?)));
    cells.into_iter().find_map(|(place, cell)| sheet::error_in(cell.trim(), || address(place, row)))
}

/// The cells at these places, with blanks between them.
fn joined(record: &csv::StringRecord, places: &[usize]) -> String {
    let cells = places.iter().filter_map(|place| record.get(*place)).map(str::trim).map(without_apostrophe);
    composed(&cells.filter(|cell| !cell.is_empty()).collect::<Vec<_>>().join(" "))
}

#[cfg(test)]
mod tests;
