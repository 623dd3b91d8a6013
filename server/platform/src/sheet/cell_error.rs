//! Cells in which a spreadsheet shows an error, as it writes them to a CSV file, too.

/// The cell of a formula whose value the file does not have.
pub(super) const NO_VALUE: &str = "#FORMULA!";
/// An error of a name that is not known.
const UNKNOWN: &str = "#ERROR!";
const ERRORS: [&str; 17] = [
    "#BLOCKED!",
    "#BUSY!",
    "#CALC!",
    "#CONNECT!",
    "#DIV/0!",
    "#FIELD!",
    "#GETTING_DATA",
    "#N/A",
    "#NAME?",
    "#NULL!",
    "#NUM!",
    "#PYTHON!",
    "#REF!",
    "#SPILL!",
    "#UNKNOWN!",
    "#VALUE!",
    UNKNOWN,
];

/// The text of a cell with an error.
pub(super) fn error_text(shown: &str) -> &str {
    if is_error(shown.trim()) { shown.trim() } else { UNKNOWN }
}

fn is_error(text: &str) -> bool {
    let is_code = |code: &str| !code.is_empty() && code.bytes().all(|byte| byte.is_ascii_digit());
    ERRORS.contains(&text) || text.strip_prefix("Err:").is_some_and(is_code)
}

/// What is wrong with a cell of a table that has an error of a spreadsheet instead of a value. The cell is
/// named as the spreadsheet names it: `column` counts from 0.
pub fn error_in(text: &str, row: usize, column: usize) -> Option<String> {
    if text == NO_VALUE {
        let cell = name_of(row, column);
        return Some(format!(
            "has in {cell} a formula without its value: open the file in a spreadsheet, and save it again"
        ));
    }
    is_error(text).then(|| format!("has the error {text} in {}: write the value", name_of(row, column)))
}

/// The name of a cell such as `C17`.
fn name_of(row: usize, column: usize) -> String {
    format!("{}{row}", letters(column))
}

/// The name of a column: `A` is 0, `AA` is 26.
fn letters(column: usize) -> String {
    let (mut letters, mut rest) = (Vec::new(), column + 1);
    while rest > 0 {
        rest -= 1;
        letters.push(char::from(b'A' + u8::try_from(rest % 26).unwrap_or(0)));
        rest /= 26;
    }
    letters.into_iter().rev().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_are_named_as_a_spreadsheet_names_them() {
        let names = [(0, "A1"), (2, "C1"), (25, "Z1"), (26, "AA1"), (51, "AZ1"), (199, "GR1"), (701, "ZZ1")];
        for (column, name) in names {
            assert_eq!(name_of(1, column), name);
        }
    }

    #[test]
    fn an_error_of_a_spreadsheet_is_no_value() {
        let error = error_in("#REF!", 17, 2).unwrap();
        assert!(error.contains("#REF!") && error.contains("C17"), "{error}");
        for text in ["Err:502", "#N/A", NO_VALUE, UNKNOWN] {
            assert!(error_in(text, 2, 0).is_some(), "{text}");
        }
        for text in ["", "#3", "# REF", "Err:", "Error", "#1!"] {
            assert_eq!(error_in(text, 2, 0), None, "{text}");
        }
        assert_eq!([error_text("#SPILL!"), error_text("#BEZUG!")], ["#SPILL!", UNKNOWN]);
    }
}
