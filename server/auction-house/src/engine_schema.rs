//! Types of the rules engine in the OpenAPI document, from the lists that the engine exports.

use std::borrow::Cow;

use rules_engine::bounds::MAX_ENTRIES;
use rules_engine::money::FractionPolicy;
use rules_engine::pot::{Rest, WeekDay};
use rules_engine::shape::{MemberShape, ValueKind};
use rules_engine::{EnteredCount, InputMode, RuleParams, RuleType};
use utoipa::openapi::schema::{
    AnyOfBuilder, ArrayBuilder, ArrayItems, Object, ObjectBuilder, OneOfBuilder, SchemaFormat, SchemaType,
    Type,
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
    WeekDaySchema = WeekDay;
    RestSchema = Rest;
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

/// The parameters of a run of a book: of these members those that its kind takes.
pub struct RunParamsSchema;

impl PartialSchema for RunParamsSchema {
    fn schema() -> RefOr<Schema> {
        let decimal = |about: &str| {
            ObjectBuilder::new()
                .schema_type(SchemaType::Array(vec![Type::String, Type::Number, Type::Null]))
                .description(Some(about))
        };
        let id = |about: &str| {
            ObjectBuilder::new()
                .schema_type(SchemaType::Array(vec![Type::String, Type::Null]))
                .description(Some(about))
        };
        let constant = |values: &[&str], about: &str| {
            ObjectBuilder::new()
                .schema_type(Type::String)
                .enum_values(Some(values.to_vec()))
                .description(Some(about))
        };
        let count = |about: &str| ObjectBuilder::new().schema_type(Type::Integer).description(Some(about));
        let holder = ObjectBuilder::new().schema_type(Type::String).format(Some(uuid())).build();
        let weight =
            ObjectBuilder::new().schema_type(Type::Integer).description(Some("1–10,000, by default 1."));
        let receiver = ObjectBuilder::new()
            .required("holder")
            .property("holder", holder.clone())
            .property("weight", weight);
        let cut = ObjectBuilder::new()
            .required("holder")
            .property("holder", holder.clone())
            .required("percent")
            .property(
                "percent",
                decimal("Above 0, at most 100, at most 3 fraction digits; all cuts together, too."),
            );
        let present = holder.clone();
        // Some makers of clients can’t tell apart what is in a list that is one of several kinds itself.
        let receiver = AnyOfBuilder::new().item(holder).item(receiver);
        let words =
            constant(&["ALL", "PRESENT"], "ALL of a DECAY, PRESENT of a SHARE of an auction or a lot.");
        let to =
            OneOfBuilder::new().item(words).item(ArrayBuilder::new().items(receiver).max_items(Some(10_000)));
        ObjectBuilder::new()
            .description(Some(
                "Of these members those that the kind takes. Decimals are answered as strings.",
            ))
            .property(
                "digits",
                ObjectBuilder::new().schema_type(Type::Integer).description(Some(
                    "Fraction digits to which amounts are rounded down: 0–6, by default 2.",
                )),
            )
            .property("auctionId", id("SHARE: the auction whose pot is shared."))
            .property("itemId", id("SHARE: the lot whose pot is shared."))
            .property("amount", decimal("SHARE: an amount instead of a pot. GRANT: the amount."))
            .property("cuts", ArrayBuilder::new().items(cut).max_items(Some(100)))
            .property("to", to)
            .property("rest", constant(&["KEEP", "SPREAD"], "SHARE: what rounding leaves, by default KEEP."))
            .property("percent", decimal("DECAY: above 0, at most 100, at most 3 fraction digits."))
            .property("floor", decimal("DECAY: a balance that it does not cross, by default 0."))
            .property("base", constant(&["ABOVE", "WHOLE"], "DECAY: by default ABOVE."))
            .property("debts", constant(&["LEAVE", "SHRINK"], "DECAY: by default LEAVE."))
            .property("period", id("DECAY: a text such as 2026-W48, once a book. 1–64 characters."))
            .property("importId", id("IMPORT: the import."))
            .property("toCount", count("In lists of runs in place of a list `to`: how many it has."))
            .property("presentCount", count("In lists of runs in place of `present`: how many it has."))
            .property(
                "present",
                ArrayBuilder::new().items(present).description(Some(
                    "SHARE that an outcome has caused: the holders who were present. `to` has the holders among \
                     them who get a share.",
                )),
            )
            .into()
    }
}

impl ToSchema for RunParamsSchema {
    fn name() -> Cow<'static, str> {
        "BookRunParams".into()
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

fn object(members: &[MemberShape]) -> Object {
    let mut object = ObjectBuilder::new();
    for MemberShape { name, kind, required, about } in members {
        if *required {
            object = object.required(*name);
        }
        object = object.property(*name, value(kind, *required, about));
    }
    object.build()
}

fn value(kind: &ValueKind, required: bool, about: &str) -> Schema {
    let nullable = |kind| match required {
        true => SchemaType::Type(kind),
        false => SchemaType::Array(vec![kind, Type::Null]),
    };
    let about = Some(about).filter(|about| !about.is_empty());
    let plain = |kind| ObjectBuilder::new().schema_type(nullable(kind)).description(about).build().into();
    match kind {
        ValueKind::Decimal | ValueKind::Text | ValueKind::Constant => plain(Type::String),
        ValueKind::Integer => plain(Type::Integer),
        ValueKind::Boolean => plain(Type::Boolean),
        ValueKind::Object(members) => object(members).into(),
        ValueKind::List(entry) => {
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
