//! Tables that are imported, as spreadsheets write them (SPEC, section 3).

use std::io::Read;

use serde::Serialize;

use crate::fields::FieldError;
use crate::paging::fitting_in;
use crate::sheet::{self, Kind, SheetError};
use crate::text::composed;

/// Separators of cells.
const SEPARATORS: [u8; 3] = [b',', b';', b'\t'];
/// The separator of a table whose header has none: no cell contains it.
const NO_SEPARATOR: u8 = 0x1f;
/// Bytes of a table that is a text, at most.
pub const CSV_BYTES_MAX: usize = 1024 * 1024;
/// Bytes of the text of a table, at most: that of a spreadsheet may be longer than another one.
pub const TEXT_BYTES_MAX: usize = 16 * 1024 * 1024;
/// Names of columns that a message lists, at most.
const NAMES_MAX: usize = 20;

/// A column of a table, found by its name without regard to case.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Column {
    name: &'static str,
    is_required: bool,
}

impl Column {
    pub const fn required(name: &'static str) -> Self {
        Self { name, is_required: true }
    }

    pub const fn optional(name: &'static str) -> Self {
        Self { name, is_required: false }
    }
}

/// A table with the cells of `N` columns.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Table<const N: usize> {
    /// Which of the columns the table has.
    pub has: [bool; N],
    pub rows: Vec<Row<N>>,
    /// Rows that can't be read.
    pub errors: Vec<FieldError>,
    /// Names of other columns.
    pub ignored_columns: Vec<String>,
    /// Cells are separated by another mark than a comma, so that a comma may be decimal.
    pub has_decimal_comma: bool,
}

/// A row with its cells in the order of the columns. The cell of an absent column is empty.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Row<const N: usize> {
    /// Number of the row in a spreadsheet: the header is row 1.
    pub number: usize,
    /// In normal form C, without the blanks around them.
    pub cells: [String; N],
}

/// The bytes are no text. `row` has the first of them that is not.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("The table is not UTF-8 in row {row}: save it as “CSV UTF-8”.")]
pub struct NotText {
    row: usize,
}

/// Why a file is not read as a table.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NotATable {
    #[error(transparent)]
    NotText(#[from] NotText),
    #[error(transparent)]
    Sheet(#[from] SheetError),
    #[error("A table in a text file may have at most {CSV_BYTES_MAX} bytes.")]
    TooLong,
}

/// The text of a table with these columns, from a file: that of a spreadsheet's sheet, or the file itself.
/// `sheet` names another one than the first that has a header.
///
/// # Errors
/// The file is of another kind, larger than is read, or damaged.
pub fn text_of(bytes: Vec<u8>, columns: &[Column], sheet: Option<&str>) -> Result<String, NotATable> {
    match Kind::of(&bytes) {
        Kind::Archive => Ok(sheet::csv_of(&bytes, sheet, &|cells| is_header(cells, columns))?),
        Kind::Unsupported(words) => Err(SheetError::Unsupported(words).into()),
        Kind::Text if bytes.len() > CSV_BYTES_MAX => Err(NotATable::TooLong),
        Kind::Text => Ok(decode(bytes)?),
    }
}

/// Whether the cells of a row name two columns, or the one of a table of one.
fn is_header(cells: &[&str], columns: &[Column]) -> bool {
    let named = columns.iter().filter(|column| cells.iter().any(|cell| is_named(column, cell.trim())));
    named.count() >= columns.len().min(2)
}

/// The text of a file: UTF-8, or UTF-16 with a byte order mark.
pub fn decode(bytes: Vec<u8>) -> Result<String, NotText> {
    match bytes.as_slice() {
        [0xff, 0xfe, rest @ ..] => decode_utf16(rest, u16::from_le_bytes),
        [0xfe, 0xff, rest @ ..] => decode_utf16(rest, u16::from_be_bytes),
        _ => String::from_utf8(bytes).map_err(|error| {
            let valid = error.as_bytes().get(..error.utf8_error().valid_up_to()).unwrap_or_default();
            NotText { row: 1 + valid.iter().filter(|byte| **byte == b'\n').count() }
        }),
    }
}

fn decode_utf16(bytes: &[u8], unit: fn([u8; 2]) -> u16) -> Result<String, NotText> {
    let (pairs, rest) = bytes.as_chunks::<2>();
    let mut text = String::new();
    for letter in char::decode_utf16(pairs.iter().map(|pair| unit(*pair))) {
        text.push(letter.map_err(|_| not_text_after(&text))?);
    }
    if rest.is_empty() { Ok(text) } else { Err(not_text_after(&text)) }
}

fn not_text_after(text: &str) -> NotText {
    NotText { row: 1 + text.matches('\n').count() }
}

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
    let fitting = fitting_in(ROWS_BYTES_MAX, rows);
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

impl<const N: usize> Table<N> {
    /// Reads a table of at most `rows_max` rows below its header. Blank rows do not count.
    ///
    /// # Errors
    /// Why the table as a whole can't be read.
    pub fn read(text: &str, columns: &[Column; N], rows_max: usize) -> Result<Self, FieldError> {
        // Lines end alike, so that they can be counted.
        let text = text.trim_start_matches('\u{feff}').replace("\r\n", "\n").replace('\r', "\n");
        let (named, text) = named_separator(&text);
        let header = text.lines().find(|line| !line.is_empty()).unwrap_or_default();
        let separator = named.unwrap_or_else(|| separator_of(header, columns));
        if let Some((row, message)) = wrong_quotation(text, separator) {
            return Err(FieldError::new(row_path(row), message));
        }
        let mut records = Records::of(text, separator);
        let names: Vec<String> = match records.next() {
            Some((_, names)) => names.iter().map(|name| name.trim().to_owned()).collect(),
            None => Vec::new(),
        };
        let places = places(&names, columns, separator)?;
        let is_ignored =
            |(place, name): &(usize, &String)| !name.is_empty() && !places.contains(&Some(*place));
        let mut table = Self {
            has: places.map(|place| place.is_some()),
            rows: Vec::new(),
            errors: Vec::new(),
            ignored_columns: names
                .iter()
                .enumerate()
                .filter(is_ignored)
                .map(|(_, name)| name.clone())
                .collect(),
            has_decimal_comma: separator != b',',
        };
        for (number, record) in
            records.filter(|(_, record)| record.iter().any(|cell| !cell.trim().is_empty()))
        {
            if table.rows.len() + table.errors.len() == rows_max {
                let message = format!("is one too many: a table has at most {rows_max} rows");
                return Err(FieldError::new(row_path(number), message));
            }
            let cell =
                |place: Option<usize>| place.and_then(|place| record.get(place)).unwrap_or_default().trim();
            if record.iter().skip(names.len()).any(|cell| !cell.trim().is_empty()) {
                table.errors.push(FieldError::new(row_path(number), "has more cells than the header"));
            } else if record.iter().any(|cell| cell.contains('\0')) {
                table.errors.push(FieldError::new(row_path(number), "must not contain the character NUL"));
            } else if let Some(error) =
                places.iter().flatten().find_map(|place| sheet::error_in(cell(Some(*place)), number, *place))
            {
                table.errors.push(FieldError::new(row_path(number), error));
            } else {
                table.rows.push(Row { number, cells: places.map(|place| composed(cell(place))) });
            }
        }
        if table.rows.is_empty() && table.errors.is_empty() {
            return Err(FieldError::new(row_path(2), "is missing: there are no rows below the header"));
        }
        Ok(table)
    }
}

/// The row of a cell that begins with a quotation mark and never ends, or goes on after its end: the mark was
/// not meant for one, and would take the rows below into its cell.
fn wrong_quotation(text: &str, separator: u8) -> Option<(usize, &'static str)> {
    let (mut row, mut opened, mut begins) = (1, None, true);
    let mut bytes = text.bytes().peekable();
    while let Some(byte) = bytes.next() {
        match (byte, opened) {
            // Two marks within a quoted cell are one of its text.
            (b'"', Some(_)) if bytes.peek() == Some(&b'"') => {
                bytes.next();
            }
            (b'"', Some(row)) => {
                opened = None;
                while bytes.next_if_eq(&b' ').is_some() {}
                if bytes.peek().is_some_and(|next| *next != separator && *next != b'\n') {
                    return Some((row, "has a cell that goes on after its closing quotation mark"));
                }
            }
            (b'"', None) if begins => opened = Some(row),
            (b'\n', None) => row += 1,
            _ => {}
        }
        begins = opened.is_none() && (byte == separator || byte == b'\n');
    }
    let unclosed = "has a quotation mark that is not closed: the rows below would be part of its cell";
    opened.map(|row| (row, unclosed))
}

/// The separator that a first line such as `sep=;` names, and the text after that line.
fn named_separator(text: &str) -> (Option<u8>, &str) {
    let (line, rest) = text.split_once('\n').unwrap_or((text, ""));
    let line = line.trim_matches('"');
    let named = line.get(..4).filter(|start| start.eq_ignore_ascii_case("sep=")).and_then(|_| line.get(4..));
    match named.map(str::as_bytes) {
        Some([separator]) if SEPARATORS.contains(separator) => (Some(*separator), rest),
        _ => (None, text),
    }
}

/// The separator of a header: the one by which most columns are found, and then the most frequent one.
fn separator_of(header: &str, columns: &[Column]) -> u8 {
    let found = |separator: u8| {
        let names: Vec<&str> =
            header.split(char::from(separator)).map(|name| name.trim().trim_matches('"')).collect();
        let known = columns.iter().filter(|column| names.iter().any(|name| is_named(column, name)));
        (known.count(), names.len())
    };
    let split = SEPARATORS.into_iter().filter(|separator| header.contains(char::from(*separator)));
    split.rev().max_by_key(|separator| found(*separator)).unwrap_or(NO_SEPARATOR)
}

fn is_named(column: &Column, name: &str) -> bool {
    column.name == name.to_lowercase()
}

/// The place of each column in the header.
fn places<const N: usize>(
    names: &[String],
    columns: &[Column; N],
    separator: u8,
) -> Result<[Option<usize>; N], FieldError> {
    let mut places = [None; N];
    for (place, column) in places.iter_mut().zip(columns) {
        let mut found = names.iter().enumerate().filter(|(_, name)| is_named(column, name)).map(|(at, _)| at);
        *place = found.next();
        if found.next().is_some() {
            let message = format!("must name the column `{}` once", column.name);
            return Err(FieldError::new(row_path(1), message));
        }
        if place.is_none() && column.is_required {
            return Err(FieldError::new(row_path(1), missing_column(column, names, separator)));
        }
    }
    if places.iter().all(Option::is_none) {
        let known: Vec<String> = columns.iter().map(|column| format!("`{}`", column.name)).collect();
        let message = format!("must be the header, with some of the columns {}", known.join(", "));
        return Err(FieldError::new(row_path(1), message));
    }
    Ok(places)
}

fn missing_column(column: &Column, names: &[String], separator: u8) -> String {
    let found: Vec<String> = names.iter().take(NAMES_MAX).map(|name| format!("`{name}`")).collect();
    let separated = match separator {
        b',' => ", separated by commas",
        b';' => ", separated by semicolons",
        b'\t' => ", separated by tabs",
        _ => "",
    };
    format!("must be the header with the column `{}`; it has {}{separated}", column.name, found.join(", "))
}

/// The records of a text with the numbers of their rows.
struct Records<'t> {
    reader: csv::Reader<std::io::Chain<&'t [u8], &'static [u8]>>,
    /// The line after the last record.
    line: u64,
    number: usize,
}

impl<'t> Records<'t> {
    fn of(text: &'t str, separator: u8) -> Self {
        // The last line ends as the others do.
        let end: &[u8] = if text.ends_with('\n') { b"" } else { b"\n" };
        let mut reader = csv::ReaderBuilder::new();
        reader.delimiter(separator).has_headers(false).flexible(true);
        Self { reader: reader.from_reader(text.as_bytes().chain(end)), line: 1, number: 0 }
    }
}

impl Iterator for Records<'_> {
    type Item = (usize, csv::StringRecord);

    fn next(&mut self) -> Option<Self::Item> {
        let mut record = csv::StringRecord::new();
        // INVARIANT: reading a text from memory fails neither by input nor by encoding.
        if !self.reader.read_record(&mut record).unwrap_or(false) {
            return None;
        }
        // The reader skips blank lines, which are rows of a spreadsheet. The lines of a cell are not.
        let line = self.reader.position().line();
        let within = record.iter().map(|cell| cell.matches('\n').count()).sum();
        let lines = usize::try_from(line - self.line).unwrap_or(usize::MAX).saturating_sub(within);
        self.line = line;
        self.number += lines.max(1);
        Some((self.number, record))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const COLUMNS: [Column; 3] =
        [Column::required("number"), Column::optional("name"), Column::optional("pin")];

    fn read(text: &str) -> Result<Table<3>, FieldError> {
        Table::read(text, &COLUMNS, 5)
    }

    /// The rows with their numbers and the cells `number` and `name`.
    fn rows(text: &str) -> Vec<(usize, String, String)> {
        let rows = read(text).unwrap().rows.into_iter();
        rows.map(|row| (row.number, row.cells[0].clone(), row.cells[1].clone())).collect()
    }

    fn one(number: usize, first: &str, second: &str) -> (usize, String, String) {
        (number, first.to_owned(), second.to_owned())
    }

    #[test]
    fn the_separator_is_that_of_the_header() {
        for text in [
            "number,name\n7,Ada\n",
            "number;name\r\n7;Ada\r\n",
            "number\tname\r7\tAda",
            "\u{feff}\"Number\" ; NAME \n7; Ada ",
            "name,number\nAda,7\n",
            "class;name;number;;\n\"4;b\";Ada;7;;\n",
            "number;name,of,a,child\n7;Ada",
        ] {
            let found = rows(text);
            let [(2, number, name)] = found.as_slice() else { panic!("{text:?}: {found:?}") };
            assert_eq!(number, "7", "{text:?}");
            assert!(name == "Ada" || text.contains("child"), "{text:?}");
        }
        assert_eq!(rows("sep=;\nnumber;name\n7;Ada, B\n"), [one(2, "7", "Ada, B")]);
        assert_eq!(rows("\"sep=\t\"\r\nnumber\tname\r\n7\tAda\r\n"), [one(2, "7", "Ada")]);
        assert_eq!(rows("number\n1,2\n"), [one(2, "1,2", "")], "no separator");
        let commas =
            ["number,name\n1,a", "number;name\n1;a"].map(|text| read(text).unwrap().has_decimal_comma);
        assert_eq!(commas, [false, true]);
    }

    #[test]
    fn rows_are_counted_as_a_spreadsheet_shows_them() {
        let text = "number,name\r\n1,\"a\r\nb\"\r\n\r\n,,\r\n2,c\r\n3";
        assert_eq!(rows(text), [one(2, "1", "a\nb"), one(5, "2", "c"), one(6, "3", "")]);
        let text = "\n\nnumber\n\n1\n\"\n2\"\n\n3\n";
        assert_eq!(rows(text), [one(5, "1", ""), one(6, "2", ""), one(8, "3", "")]);
    }

    #[test]
    fn other_columns_are_ignored_and_named() {
        let table = read("Class,Number,,E-mail\n4b,7,,a@example.org\n").unwrap();
        assert_eq!(
            (table.has, table.ignored_columns),
            ([true, false, false], vec!["Class".into(), "E-mail".into()])
        );
    }

    #[test]
    fn a_row_that_can_not_be_read_is_named() {
        let table = read("number,name\n1,a\n2,b,c\n3,d,\n4,\0\n").unwrap();
        let paths: Vec<_> = table.errors.iter().map(|error| error.path.as_str()).collect();
        assert_eq!((paths.as_slice(), table.rows.len()), (["row 3", "row 5"].as_slice(), 2));
    }

    #[test]
    fn a_quotation_mark_that_is_not_closed_is_named_with_its_row() {
        for (text, row) in [
            ("number,name\n1,\"open\n2,b\n", "row 2"),
            ("number,name\n1,\"a\nb\"\n\n3,\"open\n4,b\n", "row 4"),
            ("number,name\n1,a\n2,\"b\"\"", "row 3"),
            ("number;name\n1;\"a\"\"\n2;b\n", "row 2"),
            ("\"number,name\n1,a\n", "row 1"),
        ] {
            let error = read(text).unwrap_err();
            assert_eq!(error.path, row, "{text:?}");
            assert!(error.message.contains("not closed"), "{}", error.message);
        }
        for (text, row) in
            [("number,name\n1,\"open\n2,\"b\"\n3,c\n", "row 2"), ("number,name\n1,a\n2,\"b\"c\n", "row 3")]
        {
            let error = read(text).unwrap_err();
            assert_eq!(error.path, row, "{text:?}");
            assert!(error.message.contains("goes on after"), "{}", error.message);
        }
        for closed in [
            "number,name\n1,\"\"\n",
            "number,name\n1,\"a\"\"b\"\n",
            "number,name\n1,12\" mix\n2,b\n",
            "number,name\n1,\"a\" \n",
        ] {
            assert!(read(closed).is_ok(), "{closed:?}");
        }
    }

    #[test]
    fn a_table_that_can_not_be_read_says_why() {
        let error = |text: &str| {
            let error = read(text).unwrap_err();
            format!("{}: {}", error.path, error.message)
        };
        assert_eq!(
            error("name;pin\nAda;1\n"),
            "row 1: must be the header with the column `number`; it has `name`, `pin`, separated by semicolons"
        );
        assert_eq!(error("number,NUMBER\n1,2"), "row 1: must name the column `number` once");
        for empty in ["number,name\n", "number", "number,name\n\n , \n"] {
            assert_eq!(error(empty), "row 2: is missing: there are no rows below the header");
        }
        assert!(error("").starts_with("row 1: must be the header"));
        let long = format!("number\n{}", "1\n".repeat(6));
        assert_eq!(error(&long), "row 7: is one too many: a table has at most 5 rows");
    }

    #[test]
    fn a_file_is_utf_8_or_utf_16_with_a_mark() {
        let text = "number,name\n7,Łódź 🎈\n";
        let units: Vec<u16> = text.encode_utf16().collect();
        let little = [0xff, 0xfe].into_iter().chain(units.iter().flat_map(|unit| unit.to_le_bytes()));
        let big = [0xfe, 0xff].into_iter().chain(units.iter().flat_map(|unit| unit.to_be_bytes()));
        assert_eq!(decode(little.collect()).as_deref(), Ok(text));
        assert_eq!(decode(big.clone().collect()).as_deref(), Ok(text));
        assert_eq!(decode(text.into()).as_deref(), Ok(text));
        assert_eq!(decode(b"number,name\n1,K\xfcche\n".to_vec()), Err(NotText { row: 2 }));
        assert_eq!(decode(big.chain([0]).collect()), Err(NotText { row: 3 }), "half a letter");
        assert_eq!(decode(vec![0xff, 0xfe, 0, 0xd8]), Err(NotText { row: 1 }), "half a pair");
    }
}
