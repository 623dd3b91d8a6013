//! What a case, a bid and a verdict look like in JSON, as JSON Schema, from the types that read and write them.
//!
//! With the feature `schema` only, which the tests have: neither the server nor the browser carries this. A schema
//! says what shape a document has; that a decimal has few enough digits, or that a rule's denomination exists,
//! only the engine says.

use alloc::{borrow::Cow, vec::Vec};

use schemars::{JsonSchema, Schema, SchemaGenerator, generate::SchemaSettings, json_schema};
use serde::Deserialize;

use crate::{
    bid::{BidForm, Verdict},
    money::{Fixed, Literal, Normalized},
    profile::ProfileDefinition,
    rules::{ItemTerms, RuleDefinition},
};

/// What decides a bid, and the bid.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[expect(dead_code, reason = "only its shape is wanted: the door reads a case by itself")]
struct Case {
    /// How the bid's currency is entered and converted.
    profile: ProfileDefinition,
    /// At most 64; those that are disabled or of other profiles have no effect.
    #[schemars(length(max = 64))]
    rules: Vec<RuleDefinition>,
    /// What the item itself asks.
    item: ItemTerms,
    /// The accepted bid with the greatest normalized amount, in base units: 0 to 10^15. Null where there is none.
    highest: Option<Normalized>,
    /// Needed by `evaluate`, and without effect on `suggest`.
    bid: Option<BidForm>,
}

/// A member that has no bearing on a bid.
pub(crate) struct Anything;

impl JsonSchema for Anything {
    fn schema_name() -> Cow<'static, str> {
        "Anything".into()
    }

    fn inline_schema() -> bool {
        true
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        true.into()
    }
}

fn decimal(reads: bool) -> Schema {
    if reads {
        return json_schema!({
            "type": ["number", "string"],
            "description": "A decimal, read from its digits: 12, 12.5 or \"12.5\".",
        });
    }
    json_schema!({
        "type": "string",
        "description": "A decimal in canonical form: without exponent, leading or trailing zeros.",
    })
}

impl JsonSchema for Literal {
    fn schema_name() -> Cow<'static, str> {
        "Decimal".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        decimal(generator.contract().is_deserialize())
    }
}

impl<const SCALE: u32> JsonSchema for Fixed<SCALE> {
    fn schema_name() -> Cow<'static, str> {
        Literal::schema_name()
    }

    fn schema_id() -> Cow<'static, str> {
        Literal::schema_id()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        Literal::json_schema(generator)
    }
}

/// The schema of a case, as the doors take it.
#[must_use]
pub fn case() -> Schema {
    SchemaSettings::draft2020_12().for_deserialize().into_generator().into_root_schema_for::<Case>()
}

/// The schema of a verdict, as the door `evaluate` gives it where a case is one.
#[must_use]
pub fn verdict() -> Schema {
    SchemaSettings::draft2020_12().for_serialize().into_generator().into_root_schema_for::<Verdict>()
}
