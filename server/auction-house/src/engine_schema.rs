//! Types of the rules engine in the OpenAPI document, from the lists that the engine exports.

use std::borrow::Cow;

use rules_engine::bounds::MAX_ENTRIES;
use rules_engine::money::FractionPolicy;
use rules_engine::shape::{Kind, Member};
use rules_engine::{EnteredCount, InputMode, RuleParams, RuleType};
use utoipa::openapi::schema::{
    ArrayBuilder, ArrayItems, Object, ObjectBuilder, SchemaFormat, SchemaType, Type,
};
use utoipa::openapi::{RefOr, Schema};
use utoipa::{PartialSchema, ToSchema};

/// The format of an id in a text.
pub fn uuid() -> SchemaFormat {
    SchemaFormat::Custom("uuid".to_owned())
}

/// Declares the schema of an engine's enum, by its constants and what they mean.
macro_rules! enum_schemas {
    ($($schema:ident = $kind:ident;)*) => {$(
        pub struct $schema;

        impl PartialSchema for $schema {
            fn schema() -> RefOr<Schema> {
                let about = $kind::ALL.map(|value| format!("* `{}`: {}", value.as_str(), value.about()));
                ObjectBuilder::new()
                    .schema_type(Type::String)
                    .enum_values(Some($kind::ALL.map(|value| value.as_str())))
                    .description(Some(about.join("\n")))
                    .into()
            }
        }

        impl ToSchema for $schema {
            fn name() -> Cow<'static, str> {
                stringify!($kind).into()
            }
        }
    )*};
}

enum_schemas! {
    InputModeSchema = InputMode;
    FractionPolicySchema = FractionPolicy;
    RuleTypeSchema = RuleType;
}

/// The parameters of a rule: of these members those that its type takes.
pub struct RuleParamsSchema;

impl PartialSchema for RuleParamsSchema {
    fn schema() -> RefOr<Schema> {
        let about = "Of these members those that the type takes. Decimals are read as numbers or strings and \
            answered as strings.";
        let mut params = object(RuleParams::MEMBERS);
        params.description = Some(about.to_owned());
        params.into()
    }
}

impl ToSchema for RuleParamsSchema {
    fn name() -> Cow<'static, str> {
        "RuleParams".into()
    }
}

/// How many of one denomination were entered.
pub fn entered_count() -> RefOr<Schema> {
    let mut counts = object(EnteredCount::MEMBERS);
    if let Some(RefOr::T(Schema::Object(count))) = counts.properties.get_mut("count") {
        count.schema_type = SchemaType::Array(vec![Type::String, Type::Number]);
    }
    counts.into()
}

/// An amount that is entered: a number, or its digits as a text, which keeps all of them in any client.
pub fn entered_amount() -> RefOr<Schema> {
    ObjectBuilder::new()
        .schema_type(SchemaType::Array(vec![Type::String, Type::Number, Type::Null]))
        .description(Some("In SCALAR mode: a JSON number or a decimal string, read from its digits."))
        .into()
}

/// An amount of a bid in an answer.
pub fn answered_amount() -> RefOr<Schema> {
    ObjectBuilder::new()
        .schema_type(SchemaType::Array(vec![Type::Number, Type::Null]))
        .description(Some("The entered amount, an exact number; null in DENOMINATION mode."))
        .into()
}

/// Counts that are entered.
pub fn entered_counts() -> RefOr<Schema> {
    ArrayBuilder::new()
        .schema_type(SchemaType::Array(vec![Type::Array, Type::Null]))
        .items(ArrayItems::RefOrSchema(Box::new(entered_count())))
        .max_items(Some(MAX_ENTRIES))
        .description(Some("In DENOMINATION mode: each count is a JSON number or a decimal string."))
        .into()
}

fn object(members: &[Member]) -> Object {
    let mut object = ObjectBuilder::new();
    for Member { name, kind, required, about } in members {
        if *required {
            object = object.required(*name);
        }
        object = object.property(*name, value(kind, *required, about));
    }
    object.build()
}

fn value(kind: &Kind, required: bool, about: &str) -> Schema {
    let nullable = |kind| match required {
        true => SchemaType::Type(kind),
        false => SchemaType::Array(vec![kind, Type::Null]),
    };
    let about = Some(about).filter(|about| !about.is_empty());
    let plain = |kind| ObjectBuilder::new().schema_type(nullable(kind)).description(about).build().into();
    match kind {
        Kind::Decimal | Kind::Text | Kind::Constant => plain(Type::String),
        Kind::Integer => plain(Type::Integer),
        Kind::Boolean => plain(Type::Boolean),
        Kind::Object(members) => object(members).into(),
        Kind::List(entry) => {
            let entries = ArrayItems::RefOrSchema(Box::new(value(entry, true, "").into()));
            ArrayBuilder::new()
                .schema_type(nullable(Type::Array))
                .items(entries)
                .description(about)
                .build()
                .into()
        }
    }
}
