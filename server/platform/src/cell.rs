//! Cells of exported tables.

/// Digits that a number of a spreadsheet keeps.
const DIGITS_MAX: usize = 15;

/// A cell of an exported table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Cell {
    /// A text that no spreadsheet may take for anything else.
    Text(String),
    /// A decimal with a point. It may be empty.
    Number(String),
}

impl Cell {
    pub fn text(text: impl Into<String>) -> Self {
        Self::Text(text.into())
    }

    /// An absent text is an empty cell.
    pub fn text_or_empty(text: Option<impl Into<String>>) -> Self {
        Self::Text(text.map(Into::into).unwrap_or_default())
    }

    /// An absent number is an empty cell.
    pub fn number(number: Option<impl ToString>) -> Self {
        Self::Number(number.map(|number| number.to_string()).unwrap_or_default())
    }

    /// The cell without regard to its kind.
    pub fn as_str(&self) -> &str {
        match self {
            Self::Text(text) | Self::Number(text) => text,
        }
    }

    /// The value that a spreadsheet keeps as a number and an import reads again with the same digits.
    pub fn exact(&self) -> Option<f64> {
        let Self::Number(number) = self else { return None };
        let digits = number.strip_prefix('-').unwrap_or(number);
        let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
        let is_canonical = !fraction.ends_with('0')
            && !digits.ends_with('.')
            && (whole == "0" || !whole.starts_with('0'))
            && number != "-0";
        let count = whole.trim_start_matches('0').len() + fraction.len();
        let is_kept = is_decimal(number) && is_canonical && count <= DIGITS_MAX;
        if is_kept { number.parse().ok() } else { None }
    }
}

/// Whether a text is a decimal with a point, such as `-2.5`.
pub fn is_decimal(text: &str) -> bool {
    let digits = text.strip_prefix('-').unwrap_or(text);
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, "0"));
    [whole, fraction].iter().all(|part| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_is_kept_if_it_is_read_again_with_its_digits() {
        let exact = |text: &str| Cell::number(Some(text)).exact();
        for (text, value) in [
            ("12", 12.0),
            ("-2.5", -2.5),
            ("0", 0.0),
            ("0.001", 0.001),
            ("123456789012345", 123_456_789_012_345.0),
        ] {
            assert_eq!(exact(text), Some(value), "{text}");
        }
        for text in
            ["", "007", "1000.50", "1234567890123456", "0.1234567890123456", "12E3", "1-2", "-0", "1.", "=1"]
        {
            assert_eq!(exact(text), None, "{text}");
        }
        assert_eq!(Cell::text("12").exact(), None, "a text");
    }
}
