//! The part of JSON Schema that the published schemas use. An unknown keyword fails the test,
//! so that none is skipped.

use serde_json::{Map, Value};

/// Whether a document is as its schema says.
pub fn fits(schema: &Value, document: &Value) -> bool {
    check(schema, schema, document)
}

fn check(root: &Value, schema: &Value, value: &Value) -> bool {
    match schema {
        Value::Bool(anything) => *anything,
        Value::Object(keywords) => {
            keywords.iter().all(|(name, expected)| keyword(root, keywords, name, expected, value))
        }
        _ => panic!("no schema: {schema}"),
    }
}

fn keyword(root: &Value, schema: &Map<String, Value>, name: &str, expected: &Value, value: &Value) -> bool {
    let bound = || expected.as_f64().expect("a number");
    let length = |length: Option<usize>, holds: fn(f64, f64) -> bool| {
        length
            .and_then(|length| u32::try_from(length).ok())
            .is_none_or(|length| holds(length.into(), bound()))
    };
    let characters = value.as_str().map(|text| text.chars().count());
    let items = value.as_array().map(Vec::len);
    match name {
        "$schema" | "$defs" | "title" | "description" | "default" | "format" => true,
        "$ref" => {
            let pointer = expected.as_str().and_then(|path| path.strip_prefix('#')).expect("a reference");
            check(root, root.pointer(pointer).expect("a definition"), value)
        }
        "type" => match expected {
            Value::Array(types) => types.iter().any(|expected| is(expected, value)),
            one => is(one, value),
        },
        "const" => expected == value,
        "enum" => expected.as_array().expect("values").contains(value),
        "anyOf" => expected.as_array().expect("schemas").iter().any(|schema| check(root, schema, value)),
        "oneOf" => {
            let schemas = expected.as_array().expect("schemas");
            schemas.iter().filter(|schema| check(root, schema, value)).count() == 1
        }
        "minimum" => value.as_f64().is_none_or(|number| number >= bound()),
        "maximum" => value.as_f64().is_none_or(|number| number <= bound()),
        "minLength" => length(characters, |length, least| length >= least),
        "maxLength" => length(characters, |length, most| length <= most),
        "minItems" => length(items, |length, least| length >= least),
        "maxItems" => length(items, |length, most| length <= most),
        "items" => value.as_array().is_none_or(|items| items.iter().all(|item| check(root, expected, item))),
        "required" => value.as_object().is_none_or(|members| {
            let names = expected.as_array().expect("names").iter();
            names.filter_map(Value::as_str).all(|name| members.contains_key(name))
        }),
        "properties" => value.as_object().is_none_or(|members| {
            members
                .iter()
                .all(|(name, member)| expected.get(name).is_none_or(|schema| check(root, schema, member)))
        }),
        "additionalProperties" => value.as_object().is_none_or(|members| {
            let known =
                |name: &String| schema.get("properties").is_some_and(|known| known.get(name).is_some());
            members.iter().all(|(name, member)| known(name) || check(root, expected, member))
        }),
        _ => panic!("unknown keyword {name}"),
    }
}

fn is(expected: &Value, value: &Value) -> bool {
    match expected.as_str().expect("a type") {
        "null" => value.is_null(),
        "boolean" => value.is_boolean(),
        "string" => value.is_string(),
        "number" => value.is_number(),
        "integer" => value.is_i64() || value.is_u64(),
        "array" => value.is_array(),
        "object" => value.is_object(),
        other => panic!("unknown type {other}"),
    }
}
