//! The published schemas and types: they are up to date, the corpus matches them, and the parser refuses
//! every document that they refuse. `UPDATE_SCHEMA=1` writes them again, after an intended change.

#![expect(clippy::expect_used, reason = "a test that can't read its corpus has failed")]

#[path = "support/typescript.rs"]
mod typescript;
#[path = "support/validator.rs"]
mod validator;

use std::{env, fs, path::Path};

use rules_engine::schema;
use serde_json::{Value, json, value::RawValue};

/// Compares with the committed file, or writes it.
fn published(path: &str, now: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(path);
    if env::var_os("UPDATE_SCHEMA").is_some() {
        fs::write(&path, now).expect("the file is written");
    }
    let then = fs::read_to_string(&path).unwrap_or_default();
    assert!(then == now, "{} is not up to date: run with UPDATE_SCHEMA=1", path.display());
}

/// The text of each case. Only the text has every digit of a number.
fn cases() -> Vec<&'static RawValue> {
    #[derive(serde::Deserialize)]
    struct Vector<'a> {
        #[serde(borrow)]
        case: &'a RawValue,
    }
    let vectors = [
        include_str!("vectors/engine.jsonl"),
        include_str!("vectors/engine-2.jsonl"),
        include_str!("vectors/engine-3.jsonl"),
    ];
    let lines = vectors.into_iter().flat_map(str::lines);
    lines.map(|line| serde_json::from_str::<Vector>(line).expect("a case").case).collect()
}

fn value(case: &RawValue) -> Value {
    serde_json::from_str(case.get()).expect("a case")
}

#[test]
fn files_are_up_to_date() {
    let (case, verdict) = (schema::case().to_value(), schema::verdict().to_value());
    published("../docs/reference/case.schema.json", &format!("{case:#}\n"));
    published("../docs/reference/verdict.schema.json", &format!("{verdict:#}\n"));
    let [settle, draw] = [schema::settle_case().to_value(), schema::draw_case().to_value()];
    published("wasm/types/rules_engine.d.ts", &typescript::module(&[&case, &settle, &draw], &verdict));
}

#[test]
fn the_corpus_fits() {
    let (of_case, of_verdict) = (schema::case().to_value(), schema::verdict().to_value());
    for case in cases() {
        assert!(validator::fits(&of_case, &value(case)), "{case}");
        let verdict = rules_engine::evaluate(case.get());
        let verdict = serde_json::from_str(&verdict).expect("JSON");
        assert!(validator::fits(&of_verdict, &verdict), "{verdict}");
    }
}

#[test]
fn settlements_and_draws_fit() {
    for (schema, cases, answer) in [
        (schema::settle_case(), include_str!("vectors/settlements.jsonl"), rules_engine::settle as Answer),
        (schema::draw_case(), include_str!("vectors/draws.jsonl"), rules_engine::draw),
    ] {
        let schema = schema.to_value();
        for line in cases.lines() {
            let case = &serde_json::from_str::<Value>(line).expect("a case")["case"];
            let is_refused = answer(&case.to_string()).starts_with(r#"{"error":"#);
            assert!(is_refused || validator::fits(&schema, case), "{case}");
        }
    }
}

/// Every place of a document, as a JSON pointer.
fn places(value: &Value, at: &str, found: &mut Vec<String>) {
    found.push(at.to_owned());
    match value {
        Value::Object(members) => {
            members.iter().for_each(|(name, member)| places(member, &format!("{at}/{name}"), found));
        }
        Value::Array(items) => {
            items.iter().enumerate().for_each(|(place, item)| places(item, &format!("{at}/{place}"), found));
        }
        _ => {}
    }
}

/// A case with each value replaced by each of these, left out, and joined by an unknown member.
fn changed(case: &Value) -> Vec<Value> {
    let others = [
        json!(null),
        json!(true),
        json!(7),
        json!(-7),
        json!(1_000_001),
        json!("text"),
        json!(""),
        json!("x".repeat(65)),
        json!([]),
        json!([1]),
        json!(vec![json!({"from": "0", "amount": "1"}); 33]),
        json!({}),
    ];
    let mut pointers = Vec::new();
    places(case, "", &mut pointers);
    let mut all = Vec::new();
    for pointer in pointers {
        for other in &others {
            let mut changed = case.clone();
            *changed.pointer_mut(&pointer).expect("a place") = other.clone();
            all.push(changed);
        }
        let mut joined = case.clone();
        if let Some(members) = joined.pointer_mut(&pointer).and_then(Value::as_object_mut) {
            members.insert("unheardOf".to_owned(), json!(1));
            all.push(joined);
        }
        if let Some((parent, name)) = pointer.rsplit_once('/') {
            let mut without = case.clone();
            if let Some(members) = without.pointer_mut(parent).and_then(Value::as_object_mut) {
                members.remove(name);
                all.push(without);
            }
        }
    }
    all
}

type Answer = fn(&str) -> String;

/// Refuses each changed case that its schema refuses, and returns how many there were.
fn refused(schema: &Value, cases: impl Iterator<Item = Value>, answer: Answer) -> usize {
    let mut refused = 0;
    for case in cases.flat_map(|case| changed(&case)) {
        if !validator::fits(schema, &case) {
            let answer = answer(&case.to_string());
            assert!(answer.starts_with(r#"{"error":"#), "{answer} of {case}");
            refused += 1;
        }
    }
    refused
}

#[test]
fn what_the_schema_refuses_the_parser_refuses() {
    let few = |lines: &'static str| {
        let lines = lines.lines().step_by(8).map(|line| serde_json::from_str::<Value>(line).expect("a case"));
        lines.map(|mut line| line["case"].take())
    };
    let [case, settle, draw] =
        [schema::case(), schema::settle_case(), schema::draw_case()].map(|schema| schema.to_value());
    for refused in [
        refused(&case, cases().into_iter().step_by(8).map(value), rules_engine::evaluate),
        refused(&settle, few(include_str!("vectors/settlements.jsonl")), rules_engine::settle),
        refused(&draw, few(include_str!("vectors/draws.jsonl")), rules_engine::draw),
    ] {
        assert!(refused > 200, "only {refused} changed cases were refused");
    }
}
