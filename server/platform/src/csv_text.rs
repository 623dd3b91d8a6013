//! Rows of a CSV table (RFC 4180) that a spreadsheet opens safely.

use std::borrow::Cow;

use crate::cell::{Cell, is_decimal};

/// The marks of a CSV table. A spreadsheet opens the one of its locale.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Dialect {
    /// Commas between cells, and points in decimals.
    #[default]
    Comma,
    /// Semicolons between cells, and commas in decimals.
    Semicolon,
}

impl Dialect {
    const fn separator(self) -> char {
        match self {
            Self::Comma => ',',
            Self::Semicolon => ';',
        }
    }

    /// The mark in decimals.
    const fn mark(self) -> &'static str {
        match self {
            Self::Comma => ".",
            Self::Semicolon => ",",
        }
    }
}

/// Begins a table with its header, after a byte order mark: without one, spreadsheets take UTF-8 for another
/// encoding.
pub fn begin<'a>(text: &mut Vec<u8>, dialect: Dialect, names: impl IntoIterator<Item = &'a str>) {
    text.extend_from_slice("\u{feff}".as_bytes());
    let names: Vec<Cell> = names.into_iter().map(Cell::text).collect();
    write_row(text, dialect, &names);
}

/// Appends a row.
pub fn write_row<'a>(text: &mut Vec<u8>, dialect: Dialect, cells: impl IntoIterator<Item = &'a Cell>) {
    let separator = [dialect.separator()].into_iter().collect::<String>();
    for (at, cell) in cells.into_iter().enumerate() {
        if at > 0 {
            text.extend_from_slice(separator.as_bytes());
        }
        let written = match (cell, dialect) {
            (Cell::Number(number), dialect) if is_decimal(number) => marked(number, dialect.mark()),
            (Cell::Number(cell) | Cell::Text(cell), _) => quoted(cell, dialect),
        };
        text.extend_from_slice(written.as_bytes());
    }
    text.extend_from_slice(b"\r\n");
}

/// A decimal with its mark. Three digits after it get a zero, so that the mark is not taken for one between
/// thousands.
fn marked(number: &str, mark: &str) -> String {
    match number.split_once('.') {
        Some((whole, fraction)) if fraction.len() == 3 => [whole, mark, fraction, "0"].concat(),
        Some((whole, fraction)) => [whole, mark, fraction].concat(),
        None => number.to_owned(),
    }
}

/// A cell as it is written. An apostrophe before a formula makes it a text.
fn quoted(cell: &str, dialect: Dialect) -> String {
    let quoted = cell.replace('"', "\"\"");
    if is_formula(unmarked(cell)) {
        format!("\"'{quoted}\"")
    } else if cell.contains(['"', dialect.separator(), '\n', '\r']) {
        format!("\"{quoted}\"")
    } else {
        quoted
    }
}

/// A cell as it was before an export wrote it.
pub fn without_apostrophe(cell: &str) -> &str {
    cell.strip_prefix('\'').filter(|rest| is_formula(unmarked(rest))).unwrap_or(cell)
}

/// A cell that [`without_apostrophe`] leaves as it is now.
pub fn with_apostrophe_kept(cell: &str) -> Cow<'_, str> {
    match cell.starts_with('\'') && is_formula(unmarked(cell)) {
        true => Cow::Owned(format!("'{cell}")),
        false => Cow::Borrowed(cell),
    }
}

/// A cell without the apostrophes before it.
fn unmarked(cell: &str) -> &str {
    cell.trim_start_matches('\'')
}

/// Whether a spreadsheet reads the cell as a formula, also if it is quoted. Some fold full-width letters
/// first. A negative number is no formula.
fn is_formula(cell: &str) -> bool {
    let begins = |first: char| {
        matches!(first, '=' | '+' | '-' | '@' | '＝' | '＋' | '－' | '＠') || first.is_control()
    };
    !is_decimal(cell) && cell.starts_with(begins)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(dialect: Dialect, cells: &[Cell]) -> String {
        let mut text = Vec::new();
        write_row(&mut text, dialect, cells);
        String::from_utf8(text).unwrap().trim_end_matches("\r\n").to_owned()
    }

    #[test]
    fn a_table_begins_with_a_byte_order_mark() {
        for (dialect, expected) in [
            (Dialect::Comma, "\u{feff}name,city\r\nAda,Łódź\r\n"),
            (Dialect::Semicolon, "\u{feff}name;city\r\nAda;Łódź\r\n"),
        ] {
            let mut text = Vec::new();
            begin(&mut text, dialect, ["name", "city"]);
            write_row(&mut text, dialect, &[Cell::text("Ada"), Cell::text("Łódź")]);
            assert_eq!(String::from_utf8(text).unwrap(), expected);
        }
    }

    #[test]
    fn no_cell_is_a_formula_and_a_negative_number_stays_one() {
        for (cell, expected) in [
            ("A vase", "A vase"),
            ("", ""),
            ("12.5", "12.5"),
            ("-300", "-300"),
            ("-2.5", "-2.5"),
            ("-", "\"'-\""),
            ("-.5", "\"'-.5\""),
            ("-1+1", "\"'-1+1\""),
            ("=1+1", "\"'=1+1\""),
            ("+1", "\"'+1\""),
            ("@SUM(A1)", "\"'@SUM(A1)\""),
            ("＝1+1", "\"'＝1+1\""),
            ("＠SUM(A1)", "\"'＠SUM(A1)\""),
            ("\t=1", "\"'\t=1\""),
            ("\r=1", "\"'\r=1\""),
            ("=HYPERLINK(\"x\")", "\"'=HYPERLINK(\"\"x\"\")\""),
            ("a=b", "a=b"),
        ] {
            assert_eq!(quoted(cell, Dialect::Comma), expected);
        }
    }

    #[test]
    fn the_apostrophe_before_a_formula_is_not_part_of_the_cell() {
        for (written, cell) in [
            ("'=1+1", "=1+1"),
            ("'-1+1", "-1+1"),
            ("'tis", "'tis"),
            ("'-1", "'-1"),
            ("'", "'"),
            ("''=1", "'=1"),
        ] {
            assert_eq!(without_apostrophe(written), cell);
        }
        for cell in ["=1", "'=1", "''=1", "'tis", "'-1", "'", "a'=1"] {
            let kept = quoted(cell, Dialect::Comma);
            assert_eq!(without_apostrophe(kept.trim_matches('"')), cell);
            if !cell.starts_with('=') {
                assert_eq!(without_apostrophe(&with_apostrophe_kept(cell)), cell);
            }
        }
    }

    #[test]
    fn a_cell_with_a_separator_a_quote_or_a_line_end_is_quoted() {
        for dialect in [Dialect::Comma, Dialect::Semicolon] {
            assert_eq!(quoted("a \"b\"", dialect), "\"a \"\"b\"\"\"");
            assert_eq!(quoted("a\nb", dialect), "\"a\nb\"");
        }
        assert_eq!(
            [Dialect::Comma, Dialect::Semicolon].map(|dialect| quoted("a, b", dialect)),
            ["\"a, b\"", "a, b"]
        );
        assert_eq!(
            [Dialect::Comma, Dialect::Semicolon].map(|dialect| quoted("a; b", dialect)),
            ["a; b", "\"a; b\""]
        );
    }

    #[test]
    fn decimals_have_the_mark_of_the_dialect_and_texts_stay_as_they_are() {
        let cells = ["12.5", "-1000.50", "15.255", "7", "", "12E3"];
        let numbers: Vec<_> = cells.iter().map(|cell| Cell::number(Some(cell))).collect();
        assert_eq!(written(Dialect::Comma, &numbers), "12.5,-1000.50,15.2550,7,,12E3");
        assert_eq!(written(Dialect::Semicolon, &numbers), "12,5;-1000,50;15,2550;7;;12E3");
        assert_eq!(written(Dialect::Semicolon, &[Cell::text("3.10"), Cell::text("-2.5")]), "3.10;-2.5");
    }
}
