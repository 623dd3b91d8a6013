//! Types of columns that both databases store as text or as a number.

use std::str::FromStr;

use sqlx::error::BoxDynError;
use sqlx::{Decode, Type};

use crate::time::Moment;

/// Reads types from text columns by their `FromStr`.
#[macro_export]
macro_rules! text_column {
    ($($name:ty),+ $(,)?) => {$(
        impl<D: sqlx::Database> sqlx::Type<D> for $name
        where
            str: sqlx::Type<D>,
        {
            fn type_info() -> D::TypeInfo {
                <str as sqlx::Type<D>>::type_info()
            }

            fn compatible(type_info: &D::TypeInfo) -> bool {
                <str as sqlx::Type<D>>::compatible(type_info)
            }
        }

        impl<'r, D: sqlx::Database> sqlx::Decode<'r, D> for $name
        where
            &'r str: sqlx::Decode<'r, D>,
        {
            fn decode(value: D::ValueRef<'r>) -> Result<Self, sqlx::error::BoxDynError> {
                $crate::db::parse_text(<&str as sqlx::Decode<'r, D>>::decode(value)?)
            }
        }
    )+};
}
pub use text_column;

/// Parses the text of a column.
pub fn parse_text<T: FromStr>(text: &str) -> Result<T, BoxDynError> {
    text.parse().map_err(|_| format!("`{text}` is not a value of this column").into())
}

/// A value in a text column whose type is of a crate without a database, such as an amount.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Parsed<T>(pub T);

/// A value in a text column that holds JSON.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Json<T>(pub T);

/// An integer that is stored in 64 bits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Integer<T>(pub T);

macro_rules! stored_as {
    ($stored:ty: $($name:ident),+) => {$(
        impl<T, D: sqlx::Database> Type<D> for $name<T>
        where
            $stored: Type<D>,
        {
            fn type_info() -> D::TypeInfo {
                <$stored>::type_info()
            }

            fn compatible(type_info: &D::TypeInfo) -> bool {
                <$stored>::compatible(type_info)
            }
        }
    )+};
}
stored_as!(str: Parsed, Json);
stored_as!(i64: Integer);

impl<'r, T: FromStr, D: sqlx::Database> Decode<'r, D> for Parsed<T>
where
    &'r str: Decode<'r, D>,
{
    fn decode(value: D::ValueRef<'r>) -> Result<Self, BoxDynError> {
        parse_text(<&str>::decode(value)?).map(Self)
    }
}

impl<'r, T: serde::Deserialize<'r>, D: sqlx::Database> Decode<'r, D> for Json<T>
where
    &'r str: Decode<'r, D>,
{
    fn decode(value: D::ValueRef<'r>) -> Result<Self, BoxDynError> {
        Ok(serde_json::from_str(<&str>::decode(value)?).map(Self)?)
    }
}

impl<'r, T: TryFrom<i64>, D: sqlx::Database> Decode<'r, D> for Integer<T>
where
    i64: Decode<'r, D>,
{
    fn decode(value: D::ValueRef<'r>) -> Result<Self, BoxDynError> {
        let number = i64::decode(value)?;
        T::try_from(number).map(Self).map_err(|_| format!("{number} is not a value of this column").into())
    }
}

impl<D: sqlx::Database> Type<D> for Moment
where
    i64: Type<D>,
{
    fn type_info() -> D::TypeInfo {
        i64::type_info()
    }

    fn compatible(type_info: &D::TypeInfo) -> bool {
        i64::compatible(type_info)
    }
}

impl<'r, D: sqlx::Database> Decode<'r, D> for Moment
where
    i64: Decode<'r, D>,
{
    fn decode(value: D::ValueRef<'r>) -> Result<Self, BoxDynError> {
        let millis = i64::decode(value)?;
        Self::from_millis(millis)
            .ok_or_else(|| format!("{millis} is not a time in milliseconds since 1970").into())
    }
}
