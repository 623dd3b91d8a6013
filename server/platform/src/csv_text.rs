//! Rows of a CSV table (RFC 4180) that a spreadsheet opens safely.

/// Begins a table with its header, after a byte order mark: without one, spreadsheets take UTF-8 for another
/// encoding.
pub fn begin<'a>(text: &mut Vec<u8>, names: impl IntoIterator<Item = &'a str>) {
    text.extend_from_slice("\u{feff}".as_bytes());
    write_row(text, names);
}

/// Appends a row.
pub fn write_row<'a>(text: &mut Vec<u8>, cells: impl IntoIterator<Item = &'a str>) {
    for (at, cell) in cells.into_iter().enumerate() {
        if at > 0 {
            text.push(b',');
        }
        text.extend_from_slice(quoted(cell).as_bytes());
    }
    text.extend_from_slice(b"\r\n");
}

/// A cell as it is written. An apostrophe before a formula makes it a text.
fn quoted(cell: &str) -> String {
    let quoted = cell.replace('"', "\"\"");
    if is_formula(cell) {
        format!("\"'{quoted}\"")
    } else if cell.contains(['"', ',', '\n', '\r']) {
        format!("\"{quoted}\"")
    } else {
        quoted
    }
}

/// A cell as it was before an export wrote it.
pub fn without_apostrophe(cell: &str) -> &str {
    cell.strip_prefix('\'').filter(|rest| is_formula(rest)).unwrap_or(cell)
}

/// Whether a spreadsheet reads the cell as a formula, also if it is quoted. Some fold full-width letters
/// first. A negative number is no formula.
fn is_formula(cell: &str) -> bool {
    let begins = |first: char| {
        matches!(first, '=' | '+' | '-' | '@' | '＝' | '＋' | '－' | '＠') || first.is_control()
    };
    !is_decimal(cell) && cell.starts_with(begins)
}

fn is_decimal(cell: &str) -> bool {
    let digits = cell.strip_prefix('-').unwrap_or(cell);
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, "0"));
    [whole, fraction].iter().all(|part| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit()))
}

#[cfg(test)]
mod tests {
    use super::{begin, quoted, without_apostrophe, write_row};

    #[test]
    fn a_table_begins_with_a_byte_order_mark() {
        let mut text = Vec::new();
        begin(&mut text, ["name", "city"]);
        write_row(&mut text, ["Ada", "Łódź"]);
        assert_eq!(String::from_utf8(text).unwrap(), "\u{feff}name,city\r\nAda,Łódź\r\n");
    }

    #[test]
    fn no_cell_is_a_formula_and_a_negative_number_stays_one() {
        for (cell, written) in [
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
            assert_eq!(quoted(cell), written);
        }
    }

    #[test]
    fn the_apostrophe_before_a_formula_is_not_part_of_the_cell() {
        for (written, cell) in
            [("'=1+1", "=1+1"), ("'-1+1", "-1+1"), ("'tis", "'tis"), ("'-1", "'-1"), ("'", "'")]
        {
            assert_eq!(without_apostrophe(written), cell);
        }
    }

    #[test]
    fn a_cell_with_a_comma_a_quote_or_a_line_end_is_quoted() {
        assert_eq!(quoted("a, b"), "\"a, b\"");
        assert_eq!(quoted("a \"b\""), "\"a \"\"b\"\"\"");
        assert_eq!(quoted("a\nb"), "\"a\nb\"");
    }
}
