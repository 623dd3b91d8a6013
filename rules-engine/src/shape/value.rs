//! The types that a member of a document may have.

use alloc::{borrow::Cow, string::String, vec::Vec};

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::{
    ValueKind,
    reader::{JsonReader, Read},
};
use crate::money::{FractionPolicy, Literal, Normalized};

/// An id, a code or a number, as it is written.
pub(crate) type Text<'a> = Cow<'a, str>;

/// A value in a document: how it is read, and how it is borrowed from its owned form.
pub(crate) trait Value: Sized {
    /// The borrowed form.
    type Text<'a>;

    /// The type in JSON.
    const KIND: ValueKind;
    /// Whether a member of this type may be absent.
    const OPTIONAL: bool = false;

    /// Borrows the value.
    fn text(&self) -> Self::Text<'_>;

    /// The owned form of a borrowed value.
    fn owned(text: Self::Text<'_>) -> Self;

    /// Reads the value.
    fn read<'a>(reader: &mut JsonReader<'a>) -> Read<Self::Text<'a>>;

    /// The value of a member that was read or is absent, which is an error unless it is optional.
    fn member<'a>(read: Option<Self::Text<'a>>, reader: &JsonReader<'a>, name: &str) -> Read<Self::Text<'a>> {
        reader.required(read, name)
    }

    /// Whether a member with this value is given.
    fn is_given(_text: &Self::Text<'_>) -> bool {
        true
    }

    /// Calls `visit` with the name of each given member of a document, in order.
    fn for_each_given(_text: &Self::Text<'_>, _visit: &mut dyn FnMut(&'static str)) {}

    /// Calls `change` with each decimal of the value, in order.
    fn for_each_decimal(&mut self, _change: &mut dyn FnMut(&mut Literal)) {}
}

impl Value for String {
    type Text<'a> = Text<'a>;

    const KIND: ValueKind = ValueKind::Text;

    fn text(&self) -> Text<'_> {
        Cow::Borrowed(self)
    }

    fn owned(text: Text<'_>) -> Self {
        text.into_owned()
    }

    fn read<'a>(reader: &mut JsonReader<'a>) -> Read<Text<'a>> {
        reader.text()
    }
}

impl Value for Literal {
    type Text<'a> = Text<'a>;

    const KIND: ValueKind = ValueKind::Decimal;

    fn text(&self) -> Text<'_> {
        Cow::Borrowed(self.as_str())
    }

    fn owned(text: Text<'_>) -> Self {
        Self::from(text.into_owned())
    }

    fn read<'a>(reader: &mut JsonReader<'a>) -> Read<Text<'a>> {
        reader.literal()
    }

    fn for_each_decimal(&mut self, change: &mut dyn FnMut(&mut Self)) {
        change(self);
    }
}

impl<T: Value> Value for Vec<T> {
    type Text<'a> = Vec<T::Text<'a>>;

    const KIND: ValueKind = ValueKind::List(&T::KIND);

    fn text(&self) -> Self::Text<'_> {
        self.iter().map(T::text).collect()
    }

    fn owned(text: Self::Text<'_>) -> Self {
        text.into_iter().map(T::owned).collect()
    }

    fn read<'a>(reader: &mut JsonReader<'a>) -> Read<Self::Text<'a>> {
        reader.list(T::read)
    }

    fn for_each_decimal(&mut self, change: &mut dyn FnMut(&mut Literal)) {
        for item in self {
            item.for_each_decimal(change);
        }
    }
}

/// Null and absent are none.
impl<T: Value> Value for Option<T> {
    type Text<'a> = Option<T::Text<'a>>;

    const KIND: ValueKind = T::KIND;
    const OPTIONAL: bool = true;

    fn text(&self) -> Self::Text<'_> {
        self.as_ref().map(T::text)
    }

    fn owned(text: Self::Text<'_>) -> Self {
        text.map(T::owned)
    }

    fn read<'a>(reader: &mut JsonReader<'a>) -> Read<Self::Text<'a>> {
        reader.optional(T::read)
    }

    fn member<'a>(read: Option<Self::Text<'a>>, _: &JsonReader<'a>, _: &str) -> Read<Self::Text<'a>> {
        Ok(read.flatten())
    }

    fn is_given(text: &Self::Text<'_>) -> bool {
        text.is_some()
    }

    fn for_each_decimal(&mut self, change: &mut dyn FnMut(&mut Literal)) {
        if let Some(value) = self {
            value.for_each_decimal(change);
        }
    }
}

/// A value that may be absent but not null, in contrast to an `Option`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Given<T>(pub(crate) Option<T>);

impl<T> Given<T> {
    /// Whether there is no value.
    pub(crate) fn is_absent(&self) -> bool {
        self.0.is_none()
    }
}

impl<T> Default for Given<T> {
    fn default() -> Self {
        Self(None)
    }
}

impl<T: Serialize> Serialize for Given<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.serialize(serializer)
    }
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Given<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        T::deserialize(deserializer).map(|value| Self(Some(value)))
    }
}

impl<T: Value> Value for Given<T> {
    type Text<'a> = Option<T::Text<'a>>;

    const KIND: ValueKind = T::KIND;
    const OPTIONAL: bool = true;

    fn text(&self) -> Self::Text<'_> {
        self.0.as_ref().map(T::text)
    }

    fn owned(text: Self::Text<'_>) -> Self {
        Self(text.map(T::owned))
    }

    fn read<'a>(reader: &mut JsonReader<'a>) -> Read<Self::Text<'a>> {
        T::read(reader).map(Some)
    }

    fn member<'a>(read: Option<Self::Text<'a>>, _: &JsonReader<'a>, _: &str) -> Read<Self::Text<'a>> {
        Ok(read.flatten())
    }

    fn is_given(text: &Self::Text<'_>) -> bool {
        text.is_some()
    }
}

impl Value for Normalized {
    type Text<'a> = Self;

    const KIND: ValueKind = ValueKind::Decimal;

    fn text(&self) -> Self {
        *self
    }

    fn owned(text: Self) -> Self {
        text
    }

    fn read(reader: &mut JsonReader<'_>) -> Read<Self> {
        let start = reader.clone();
        Self::parse(&reader.literal()?)
            .or_else(|_| start.fail("expected a decimal with at most 13 fraction digits"))
    }
}

impl Value for bool {
    type Text<'a> = Self;

    const KIND: ValueKind = ValueKind::Boolean;

    fn text(&self) -> Self {
        *self
    }

    fn owned(text: Self) -> Self {
        text
    }

    fn read(reader: &mut JsonReader<'_>) -> Read<Self> {
        reader.boolean()
    }
}

impl Value for u32 {
    type Text<'a> = Self;

    const KIND: ValueKind = ValueKind::Integer;

    fn text(&self) -> Self {
        *self
    }

    fn owned(text: Self) -> Self {
        text
    }

    fn read(reader: &mut JsonReader<'_>) -> Read<Self> {
        reader.integer()
    }
}

impl Value for u8 {
    type Text<'a> = Self;

    const KIND: ValueKind = ValueKind::Integer;

    fn text(&self) -> Self {
        *self
    }

    /// An integer that does not fit reads as the largest, which is out of bounds as well.
    fn owned(text: Self) -> Self {
        text
    }

    fn read(reader: &mut JsonReader<'_>) -> Read<Self> {
        reader.integer().map(|integer| Self::try_from(integer).unwrap_or(Self::MAX))
    }
}

/// Reads an enum of constants; `$otherwise` is the error for any other text.
macro_rules! constant_value {
    ($name:ident, $otherwise:literal) => {
        impl $crate::shape::Value for $name {
            type Text<'a> = Self;

            const KIND: $crate::shape::ValueKind = $crate::shape::ValueKind::Constant;

            fn text(&self) -> Self {
                *self
            }

            fn owned(text: Self) -> Self {
                text
            }

            fn read(reader: &mut $crate::shape::reader::JsonReader<'_>) -> $crate::shape::reader::Read<Self> {
                reader.constant($otherwise)
            }
        }

        impl $crate::shape::ReadJson for $name {
            fn read_json(
                reader: &mut $crate::shape::reader::JsonReader<'_>,
            ) -> $crate::shape::reader::Read<Self> {
                reader.constant($otherwise)
            }
        }
    };
}

pub(crate) use constant_value;

constant_value!(FractionPolicy, "unknown fraction policy");
