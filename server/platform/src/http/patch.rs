//! JSON merge patches (RFC 7396) in the OpenAPI document. [`Object::patched`](crate::fields::Object::patched)
//! applies them.

use std::borrow::Cow;
use std::marker::PhantomData;

use utoipa::openapi::{RefOr, Schema};
use utoipa::{PartialSchema, ToSchema};

use crate::shape::{New, Shape};

/// A merge patch on a resource that `T` makes: the same members, none of them required.
pub struct MergePatch<T>(PhantomData<T>);

impl<T: Shape> PartialSchema for MergePatch<T> {
    fn schema() -> RefOr<Schema> {
        let mut schema = New::<T>::schema();
        if let RefOr::T(Schema::Object(object)) = &mut schema {
            object.required.clear();
            object.description =
                Some("An absent member stays as it is; null removes it or sets its default.".to_owned());
        }
        schema
    }
}

impl<T: Shape> ToSchema for MergePatch<T> {
    /// `NewAuctionItem` is patched with `AuctionItemPatch`.
    fn name() -> Cow<'static, str> {
        format!("{}Patch", T::NAME.strip_prefix("New").unwrap_or(T::NAME)).into()
    }

    fn schemas(schemas: &mut Vec<(String, RefOr<Schema>)>) {
        New::<T>::schemas(schemas);
    }
}
