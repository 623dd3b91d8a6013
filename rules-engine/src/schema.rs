//! The JSON Schemas of cases and of verdicts, from the types that read and write them.
//!
//! Behind the feature `schema`, which only the tests enable: neither the server nor the browser contains
//! this. A schema describes the shape of a document; only the engine checks the digits of a decimal, or that
//! a denomination exists.

use alloc::borrow::Cow;

use schemars::{JsonSchema, Schema, SchemaGenerator, generate::SchemaSettings, json_schema};

use crate::{
    bid::Verdict,
    json::{DrawCase, SettleCase, case::Case},
    money::{Fixed, Literal},
};

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

/// The schema of a case, as [`evaluate`](crate::evaluate) reads it.
#[must_use]
pub fn case() -> Schema {
    SchemaSettings::draft2020_12().for_deserialize().into_generator().into_root_schema_for::<Case>()
}

/// The schema of a case, as [`settle`](crate::settle()) reads it.
#[must_use]
pub fn settle_case() -> Schema {
    SchemaSettings::draft2020_12().for_deserialize().into_generator().into_root_schema_for::<SettleCase>()
}

/// The schema of a case, as [`draw`](crate::draw()) reads it.
#[must_use]
pub fn draw_case() -> Schema {
    SchemaSettings::draft2020_12().for_deserialize().into_generator().into_root_schema_for::<DrawCase>()
}

/// The schema of a verdict, as [`evaluate`](crate::evaluate) writes it for a valid case.
#[must_use]
pub fn verdict() -> Schema {
    SchemaSettings::draft2020_12().for_serialize().into_generator().into_root_schema_for::<Verdict>()
}
