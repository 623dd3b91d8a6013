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

/// Returns what is wrong with a cell of a table that has an error of a spreadsheet instead of a value.
/// `address` is its name in the spreadsheet, such as C17.
pub fn error_in(text: &str, address: impl FnOnce() -> String) -> Option<String> {
    if text == NO_VALUE {
        let cell = address();
        return Some(format!(
            "has in {cell} a formula without its value: open the file in a spreadsheet, and save it again"
        ));
    }
    is_error(text).then(|| format!("has the error {text} in {}: write the value", address()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_error_of_a_spreadsheet_is_no_value() {
        let error = error_in("#REF!", || "C17".to_owned()).unwrap();
        assert!(error.contains("#REF!") && error.contains("C17"), "{error}");
        for text in ["Err:502", "#N/A", NO_VALUE, UNKNOWN] {
            assert!(error_in(text, || "A2".to_owned()).is_some(), "{text}");
        }
        for text in ["", "#3", "# REF", "Err:", "Error", "#1!"] {
            assert_eq!(error_in(text, || "A2".to_owned()), None, "{text}");
        }
        assert_eq!([error_text("#SPILL!"), error_text("#BEZUG!")], ["#SPILL!", UNKNOWN]);
    }
}
