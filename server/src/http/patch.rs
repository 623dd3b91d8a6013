//! JSON merge patches (RFC 7396): one member of one, and what the OpenAPI document says of one.

use std::borrow::Cow;
use std::fmt::Display;
use std::marker::PhantomData;
use std::str::FromStr;

use serde::{Deserialize, Deserializer};
use utoipa::openapi::{RefOr, Schema};
use utoipa::{PartialSchema, ToSchema};

use crate::fields::Fields;

/// Left out, taken away by `null`, or set. Needs `#[serde(default)]`.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum Patch<T> {
    #[default]
    Keep,
    Clear,
    Set(T),
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Patch<T> {
    fn deserialize<D: Deserializer<'de>>(source: D) -> Result<Self, D::Error> {
        Ok(Option::<T>::deserialize(source)?.map_or(Self::Clear, Self::Set))
    }
}

impl Patch<String> {
    /// What a text that is set stands for. Whatever can't be taken away is a fault where it is.
    pub fn parse<T: FromStr<Err: Display>>(self, fields: &mut Fields, path: &str) -> Patch<T> {
        match self {
            Self::Keep => Patch::Keep,
            Self::Clear => Patch::Clear,
            Self::Set(text) => fields.parse(path, &text).map_or(Patch::Keep, Patch::Set),
        }
    }
}

impl<T> Patch<T> {
    /// Of a member that can't be taken away: what it is set to, if it is.
    pub fn required(self, fields: &mut Fields, path: &str) -> Option<T> {
        match self {
            Self::Keep => None,
            Self::Clear => {
                fields.fault(path, "must be given");
                None
            }
            Self::Set(value) => Some(value),
        }
    }
}

/// For the document: a merge patch on what `T` makes. It has the same members, of which none is required.
pub struct MergePatch<T>(PhantomData<T>);

impl<T: ToSchema> PartialSchema for MergePatch<T> {
    fn schema() -> RefOr<Schema> {
        let mut schema = T::schema();
        if let RefOr::T(Schema::Object(object)) = &mut schema {
            object.required.clear();
            object.description =
                Some("What is left out stays; null takes away, or back to the default.".to_owned());
        }
        schema
    }
}

impl<T: ToSchema> ToSchema for MergePatch<T> {
    /// `NewAuctionItem` is patched with `AuctionItemPatch`.
    fn name() -> Cow<'static, str> {
        let name = T::name();
        format!("{}Patch", name.strip_prefix("New").unwrap_or(&name)).into()
    }

    fn schemas(schemas: &mut Vec<(String, RefOr<Schema>)>) {
        T::schemas(schemas);
    }
}
