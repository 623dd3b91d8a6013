//! The text of a table from a file: a text, or a sheet of a spreadsheet.

use std::collections::HashSet;

use super::column::{Meaning, Vocabulary};
use super::expected::Expected;
use crate::lists::{self, ListError, Wanted};
use crate::sheet::{self, Kind, SheetError};

/// Bytes of a table that is a text, at most.
pub const CSV_BYTES_MAX: usize = 1024 * 1024;
/// Bytes of the text of a table, at most: that of a spreadsheet may be longer than another one.
pub const TEXT_BYTES_MAX: usize = 16 * 1024 * 1024;

/// Why a file is not read as a table.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NotATable {
    #[error(transparent)]
    NotText(#[from] NotText),
    #[error(transparent)]
    Sheet(#[from] SheetError),
    #[error(transparent)]
    List(#[from] ListError),
    #[error("A table in a text file may have at most {CSV_BYTES_MAX} bytes.")]
    TooLong,
}

/// The bytes are no text. `row` has the first of them that is not.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("The table is not UTF-8 in row {row}: save it as “CSV UTF-8”.")]
pub struct NotText {
    row: usize,
}

/// The text of a table that is expected, from a file: that of a spreadsheet's sheet, of a list, or the file
/// itself. `sheet` names another one than the first that has a header, or one of several lists.
///
/// # Errors
/// The file is of another kind, larger than is read, or damaged.
pub fn text_of(bytes: Vec<u8>, expected: &Expected, sheet: Option<&str>) -> Result<String, NotATable> {
    match Kind::of(&bytes) {
        Kind::Archive => {
            let words = Vocabulary::of(expected.columns);
            let needed = expected.columns.len().min(2);
            Ok(sheet::csv_of(&bytes, sheet, &|cells| named(cells, &words) >= needed)?)
        }
        Kind::Unsupported(words) => Err(SheetError::Unsupported(words).into()),
        Kind::Text if bytes.len() > CSV_BYTES_MAX && !lists::may_be_in(&bytes) => Err(NotATable::TooLong),
        Kind::Text => {
            let (length, text) = (bytes.len(), decode(bytes)?);
            match lists::are_in(&text) {
                true => list_of(&text, expected, sheet),
                false if length > CSV_BYTES_MAX => Err(NotATable::TooLong),
                false => Ok(text),
            }
        }
    }
}

/// The text of a table from a text with lists: JSON, XML or sections.
///
/// # Errors
/// The text can't be read, or has no such list.
pub fn list_of(text: &str, expected: &Expected, name: Option<&str>) -> Result<String, NotATable> {
    let words = Vocabulary::of(expected.columns);
    let fit = |headings: &[&str]| expected.fit(&words, headings);
    Ok(lists::csv_of(text, &Wanted { name, fit: &fit, headless: expected.headless })?)
}

/// Names of the visible sheets of a spreadsheet, or of the lists of a text. Empty for another file.
pub fn sheets_of(bytes: &[u8], expected: &Expected) -> Vec<String> {
    match Kind::of(bytes) {
        Kind::Archive => sheet::names_of(bytes).unwrap_or_default(),
        Kind::Text if lists::may_be_in(bytes) => {
            decode(bytes.to_vec()).map(|text| lists_of(&text, expected)).unwrap_or_default()
        }
        Kind::Unsupported(_) | Kind::Text => Vec::new(),
    }
}

/// Names of the lists of a text. Empty for a table.
pub fn lists_of(text: &str, expected: &Expected) -> Vec<String> {
    let words = Vocabulary::of(expected.columns);
    let fit = |headings: &[&str]| expected.fit(&words, headings);
    let wanted = Wanted { name: None, fit: &fit, headless: expected.headless };
    if lists::are_in(text) { lists::names_of(text, &wanted).unwrap_or_default() } else { Vec::new() }
}

/// How many columns the cells of a row name.
fn named(cells: &[&str], words: &Vocabulary) -> usize {
    let meanings: HashSet<Meaning> = cells.iter().filter_map(|cell| words.meaning(cell.trim())).collect();
    meanings.len()
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

#[cfg(test)]
mod tests {
    use super::*;

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
