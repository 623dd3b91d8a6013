use alloc::{borrow::ToOwned, boxed::Box, string::String};
use core::fmt;

use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error};
use serde_json::value::RawValue;

/// A decimal as it was written: the text of a JSON number or string, not yet parsed.
///
/// In JSON it reads from `12`, `12.50` or `"12.50"` and keeps every digit; any other type is an error. It is
/// written as a string. Only `serde_json` can read it, because only `serde_json` exposes the text of a
/// number.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Literal(String);

impl Literal {
    /// The text as it was written.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl From<&str> for Literal {
    fn from(text: &str) -> Self {
        Self(text.to_owned())
    }
}

impl From<String> for Literal {
    fn from(text: String) -> Self {
        Self(text)
    }
}

impl From<Literal> for String {
    fn from(literal: Literal) -> Self {
        literal.0
    }
}

impl fmt::Display for Literal {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.0)
    }
}

impl Serialize for Literal {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.0)
    }
}

impl<'de> Deserialize<'de> for Literal {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        // Deserialized as a number it would become a float: only the raw text has all digits.
        let raw = Box::<RawValue>::deserialize(deserializer)?;
        match raw.get().as_bytes().first() {
            Some(b'-' | b'0'..=b'9') => Ok(Self(String::from(Box::<str>::from(raw)))),
            Some(b'"') => serde_json::from_str(raw.get()).map(Self).map_err(D::Error::custom),
            _ => Err(D::Error::custom("expected a decimal: a number or a string")),
        }
    }
}

#[cfg(test)]
mod tests {
    use alloc::string::ToString;

    use super::*;

    fn read(json: &str) -> Option<String> {
        serde_json::from_str::<Literal>(json).ok().map(|literal| literal.to_string())
    }

    #[test]
    fn keeps_every_digit_of_numbers_and_strings() {
        for (json, text) in [
            ("0.1", "0.1"),
            ("-0.0", "-0.0"),
            ("9007199254740993.250", "9007199254740993.250"),
            ("1e400", "1e400"),
            (" \"12.50\" ", "12.50"),
            (r#""1\u0032""#, "12"),
            (r#""""#, ""),
        ] {
            assert_eq!(read(json).as_deref(), Some(text), "{json}");
        }
    }

    #[test]
    fn refuses_every_other_type() {
        for json in ["null", "true", "[]", "{}", "[1]", r#"{"a":1}"#, "01", "+1", ".5", ""] {
            assert_eq!(read(json), None, "{json}");
        }
    }

    #[test]
    fn writes_a_string() {
        assert_eq!(serde_json::to_string(&Literal::from("1.50")).ok().as_deref(), Some("\"1.50\""));
    }
}
