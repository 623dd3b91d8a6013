//! Rows whose quotation marks are wrong. What they mean is a guess, so that they are refused.

use std::borrow::Cow;

use super::column::address;
use super::excerpt;
use super::row_path;
use crate::fields::FieldError;

/// Why the end of a row can't be found, with the index of the cell.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct WrongCell {
    index: usize,
    /// Offset of the cell in the row.
    start: usize,
    fault: Fault,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Fault {
    /// A mark stands inside a cell that does not begin with one.
    Inside,
    /// The cell goes on after its closing mark.
    GoesOn,
    NotClosed,
}

/// The text with an empty line in place of each row whose quotation marks are wrong, and the numbers and
/// errors of these rows. A wrong row ends with its line: the mark was not meant for the rows below.
pub(super) fn without_wrong_rows(text: &str, separator: u8) -> (Cow<'_, str>, Vec<(usize, FieldError)>) {
    let (mut errors, mut kept) = (Vec::new(), String::new());
    let (mut row, mut rest, mut right) = (1, text, text);
    while !rest.is_empty() {
        let length = match length_of_row(rest.as_bytes(), separator) {
            Ok(length) => length,
            Err(cell) => {
                let line = rest.find('\n').map_or(rest.len(), |end| end + 1);
                let before = right.len() - rest.len();
                kept.push_str(right.get(..before).unwrap_or_default());
                kept.push('\n');
                right = rest.get(line..).unwrap_or_default();
                errors.push((row, FieldError::new(row_path(row), words(cell, row, rest, separator))));
                line
            }
        };
        rest = rest.get(length..).unwrap_or_default();
        row += 1;
    }
    if errors.is_empty() {
        return (Cow::Borrowed(text), errors);
    }
    kept.push_str(right);
    (Cow::Owned(kept), errors)
}

/// Bytes of the first row, with the end of its last line.
fn length_of_row(text: &[u8], separator: u8) -> Result<usize, WrongCell> {
    let (mut index, mut start) = (0, 0);
    let mut bytes = text.iter().copied().enumerate().peekable();
    loop {
        let wrong = |fault| Err(WrongCell { index, start, fault });
        let is_quoted = bytes.next_if(|(_, byte)| *byte == b'"').is_some();
        if is_quoted {
            loop {
                match bytes.next() {
                    None => return wrong(Fault::NotClosed),
                    // Two marks within a quoted cell are one of its text.
                    Some((_, b'"')) if bytes.next_if(|(_, byte)| *byte == b'"').is_none() => break,
                    Some(_) => {}
                }
            }
            while bytes.next_if(|(_, byte)| *byte == b' ').is_some() {}
        }
        loop {
            match bytes.next() {
                None => return Ok(text.len()),
                Some((at, b'\n')) => return Ok(at + 1),
                Some((at, byte)) if byte == separator => {
                    (index, start) = (index + 1, at + 1);
                    break;
                }
                Some(_) if is_quoted => return wrong(Fault::GoesOn),
                Some((_, b'"')) => return wrong(Fault::Inside),
                Some(_) => {}
            }
        }
    }
}

fn words(WrongCell { index, start, fault }: WrongCell, row: usize, text: &str, separator: u8) -> String {
    let address = address(index, row);
    let rest = text.get(start..).unwrap_or_default();
    let cell = rest.split([char::from(separator), '\n']).next().unwrap_or_default().trim();
    match fault {
        Fault::Inside => {
            let shown = excerpt(cell);
            let quoted = shown.replace('"', "\"\"");
            format!(
                "has a quotation mark inside the cell {address}, `{shown}`: put the cell between quotation marks and double its own, as in `\"{quoted}\"`"
            )
        }
        Fault::GoesOn => format!(
            "has the cell {address}, which goes on after its closing quotation mark: double the marks that belong to its text"
        ),
        Fault::NotClosed => format!(
            "has a quotation mark in {address} that is not closed: the rows below would be part of its cell"
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The text that is kept, and the rows of the errors with a part of their words.
    fn kept(text: &str) -> (String, Vec<String>) {
        let (kept, errors) = without_wrong_rows(text, b',');
        (
            kept.into_owned(),
            errors.into_iter().map(|(_, error)| format!("{}: {}", error.path, error.message)).collect(),
        )
    }

    #[test]
    fn each_row_with_a_wrong_mark_is_refused_and_the_others_are_kept() {
        for (text, rest, expected) in [
            ("n,m\n1,\"open\n2,b\n", "n,m\n\n2,b\n", [("row 2", "B2 that is not closed")].as_slice()),
            ("n,m\n1,\"a\nb\"\n\n3,\"open\n4,b", "n,m\n1,\"a\nb\"\n\n\n4,b", &[("row 4", "B4")]),
            ("n,m\n1,a\n2,\"b\"\"", "n,m\n1,a\n\n", &[("row 3", "not closed")]),
            ("\"n,m\n1,a\n", "\n1,a\n", &[("row 1", "A1 that is not closed")]),
            ("n\n1,\"open\n2,\"b\"\n3,c\n", "n\n\n2,\"b\"\n3,c\n", &[("row 2", "goes on after")]),
            ("n,m\n2,\"b\"c\n3,d", "n,m\n\n3,d", &[("row 2", "goes on after")]),
            (
                "n,m\n1,12\" mix\n2,5' 3\"\n",
                "n,m\n\n\n",
                &[
                    (
                        "row 2",
                        "B2, `12\" mix`: put the cell between quotation marks and double its own, as in `\"12\"\" mix\"`",
                    ),
                    ("row 3", "B3"),
                ],
            ),
            ("n, \"m\"\n", "\n", &[("row 1", "inside the cell B1")]),
        ] {
            let (kept, errors) = kept(text);
            assert_eq!(kept, rest, "{text:?}");
            assert_eq!(errors.len(), expected.len(), "{errors:?}");
            for (error, (row, words)) in errors.iter().zip(expected) {
                assert!(error.starts_with(row) && error.contains(words), "{error}");
            }
        }
    }

    #[test]
    fn marks_around_a_cell_and_doubled_ones_within_it_are_right() {
        for text in
            ["n\n\"\"\n", "n\n\"a\"\"b\"\n", "n,m\n1,\"a\" \n\"\",\"b\"", "n\n\"a\n\nb\"\n", "", "\n\n"]
        {
            assert_eq!(kept(text), (text.to_owned(), Vec::new()), "{text:?}");
        }
    }
}
