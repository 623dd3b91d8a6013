//! What the OpenAPI document says of JSON merge patches (RFC 7396). They are laid on by
//! [`Object::patched`](crate::fields::Object::patched).

use std::borrow::Cow;
use std::marker::PhantomData;

use utoipa::openapi::{RefOr, Schema};
use utoipa::{PartialSchema, ToSchema};

/// A merge patch on what `T` makes. It has the same members, of which none is required.
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
