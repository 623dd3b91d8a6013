//! The body of a request for a further outcome, in the OpenAPI document.

use std::borrow::Cow;

use utoipa::openapi::schema::OneOfBuilder;
use utoipa::openapi::{Ref, RefOr, Schema};
use utoipa::{PartialSchema, ToSchema};

use super::correct::Correction;
use crate::items::outcomes::decide::Decision;
use platform::shape::New;

type NewOutcome = New<Decision>;
type OutcomeCorrection = New<Correction>;

/// A decision or a correction.
pub struct NextOutcome;

impl PartialSchema for NextOutcome {
    fn schema() -> RefOr<Schema> {
        let one = |name: Cow<'static, str>| Ref::from_schema_name(name);
        let either =
            OneOfBuilder::new().item(one(NewOutcome::name())).item(one(OutcomeCorrection::name())).build();
        Schema::OneOf(either).into()
    }
}

impl ToSchema for NextOutcome {
    fn name() -> Cow<'static, str> {
        "NextOutcome".into()
    }

    fn schemas(schemas: &mut Vec<(String, RefOr<Schema>)>) {
        schemas.push((NewOutcome::name().into_owned(), NewOutcome::schema()));
        NewOutcome::schemas(schemas);
        schemas.push((OutcomeCorrection::name().into_owned(), OutcomeCorrection::schema()));
        OutcomeCorrection::schemas(schemas);
    }
}
