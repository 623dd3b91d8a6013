//! The codes of problems in the OpenAPI document.

use utoipa::openapi::schema::Type;
use utoipa::openapi::{ObjectBuilder, RefOr, Schema};
use utoipa::{PartialSchema, ToSchema};

use crate::codes;

/// The schema of all codes.
pub struct ProblemCode;

impl PartialSchema for ProblemCode {
    fn schema() -> RefOr<Schema> {
        use std::fmt::Write;
        let mut words = String::from("Stable names, by status:\n");
        for code in codes::ALL.iter() {
            let _ = write!(words, "\n* `{}` ({}): {}", code.as_str(), code.status().as_u16(), code.title());
        }
        ObjectBuilder::new()
            .schema_type(Type::String)
            .enum_values(Some(codes::ALL.iter().map(|code| code.as_str())))
            .description(Some(words))
            .into()
    }
}

impl ToSchema for ProblemCode {
    fn name() -> std::borrow::Cow<'static, str> {
        "ProblemCode".into()
    }
}
