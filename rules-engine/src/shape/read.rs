//! Owned values that are read from JSON, for the documents of other crates.

use alloc::{boxed::Box, string::String, vec::Vec};

use super::reader::{JsonReader, Read};
use crate::money::Literal;

/// An owned value that is read from JSON.
pub trait ReadJson: Sized {
    /// Reads the value.
    ///
    /// # Errors
    /// The next value is malformed or of another type.
    fn read_json(reader: &mut JsonReader<'_>) -> Read<Self>;

    /// The value of an absent member, if a member of this type may be absent.
    #[must_use]
    fn absent() -> Option<Self> {
        None
    }
}

/// Reads a whole text.
///
/// # Errors
/// The text is malformed, is a value of another type, or has more than one.
pub fn read_json<T: ReadJson>(text: &str) -> Read<T> {
    let mut reader = JsonReader::new(text);
    let value = T::read_json(&mut reader)?;
    reader.end()?;
    Ok(value)
}

impl ReadJson for String {
    fn read_json(reader: &mut JsonReader<'_>) -> Read<Self> {
        reader.text().map(Self::from)
    }
}

impl ReadJson for Literal {
    fn read_json(reader: &mut JsonReader<'_>) -> Read<Self> {
        reader.literal().map(|text| Self::from(text.into_owned()))
    }
}

impl ReadJson for bool {
    fn read_json(reader: &mut JsonReader<'_>) -> Read<Self> {
        reader.boolean()
    }
}

/// Null and absent are none.
impl<T: ReadJson> ReadJson for Option<T> {
    fn read_json(reader: &mut JsonReader<'_>) -> Read<Self> {
        reader.optional(T::read_json)
    }

    fn absent() -> Option<Self> {
        Some(None)
    }
}

impl<T: ReadJson> ReadJson for Box<T> {
    fn read_json(reader: &mut JsonReader<'_>) -> Read<Self> {
        T::read_json(reader).map(Self::new)
    }
}

impl<T: ReadJson> ReadJson for Vec<T> {
    fn read_json(reader: &mut JsonReader<'_>) -> Read<Self> {
        reader.list(T::read_json)
    }
}

macro_rules! numbers {
    ($($number:ty),*) => {$(
        impl ReadJson for $number {
            fn read_json(reader: &mut JsonReader<'_>) -> Read<Self> {
                reader.parsed()
            }
        }
    )*};
}

numbers!(i64, u8, u32, u64, usize);

/// A list of two.
impl<T: ReadJson> ReadJson for (T, T) {
    fn read_json(reader: &mut JsonReader<'_>) -> Read<Self> {
        let mut values = reader.list(T::read_json)?.into_iter();
        match (values.next(), values.next(), values.next()) {
            (Some(first), Some(second), None) => Ok((first, second)),
            _ => reader.fail("expected two values"),
        }
    }
}

#[cfg(test)]
mod tests {
    use alloc::{borrow::ToOwned, string::String, vec, vec::Vec};

    use super::read_json;
    use crate::{EnteredCount, ProfileDefinition, Violation, ViolationCode};

    #[test]
    fn a_document_of_the_engine_is_read_as_serde_reads_it() {
        let profile = r#"{"id": "p", "inputMode": "DENOMINATION", "rateToBase": "1.50", "precision": 2,
            "fractionPolicy": "REJECT", "denominations": [{"code": "A", "factor": 12}]}"#;
        let read: ProfileDefinition = read_json(profile).expect("a profile");
        assert_eq!(read, serde_json::from_str(profile).expect("a profile"));
        let counts = r#"[{"denomination": "A\u00e9", "count": 1.10}]"#;
        let read: Vec<EnteredCount> = read_json(counts).expect("counts");
        assert_eq!(read, serde_json::from_str::<Vec<EnteredCount>>(counts).expect("counts"));
    }

    #[test]
    fn a_violation_may_have_further_members() {
        let json = r#"{"code": "MIN_BID", "more": [{"a": [1, {}]}], "ruleId": null, "message": "m", "required": "5"}"#;
        let violation: Violation = read_json(json).expect("a violation");
        assert_eq!(
            violation,
            Violation { required: Some("5".to_owned()), ..Violation::new(ViolationCode::MinBid, "m") }
        );
        for refused in
            [r#"{"code": "MIN_BID"}"#, r#"{"code": "MIN_BID", "code": "MIN_BID", "message": "m"}"#, "[]"]
        {
            assert!(read_json::<Violation>(refused).is_err(), "{refused}");
        }
    }

    #[test]
    fn nothing_may_follow_the_value() {
        assert_eq!(read_json::<Vec<i64>>(" [-1, 2] ").expect("numbers"), vec![-1, 2]);
        for refused in ["[1] 2", "[1", "[1.5]", "[9223372036854775808]", "[\"1\"]"] {
            assert!(read_json::<Vec<i64>>(refused).is_err(), "{refused}");
        }
        assert_eq!(read_json::<(String, String)>(r#"["a", "b"]"#).expect("a pair").1, "b");
        assert!(read_json::<(String, String)>(r#"["a"]"#).is_err());
    }
}
