//! The corpus: 400 cases with the verdicts that the contract requires, and the exact bytes of the engine's answers, which
//! the WebAssembly build must give as well.

#![expect(clippy::expect_used, reason = "a test that can't read its corpus has failed")]

use std::{collections::BTreeMap, env, fs, path::PathBuf};

use serde_json::{Value, value::RawValue};

#[derive(serde::Deserialize)]
struct Vector {
    case: Box<RawValue>,
    verdict: Value,
}

fn path(name: &str) -> PathBuf {
    [env!("CARGO_MANIFEST_DIR"), "tests", "vectors", name].iter().collect()
}

fn vectors() -> Vec<Vector> {
    let text = fs::read_to_string(path("engine.jsonl")).expect("the corpus");
    text.lines().map(|line| serde_json::from_str(line).expect("a case with its verdict")).collect()
}

#[test]
fn every_verdict_is_the_expected_one() {
    let vectors = vectors();
    assert_eq!(vectors.len(), 400);
    for (number, Vector { case, verdict }) in (1..).zip(vectors) {
        let answer = rules_engine::evaluate(case.get());
        let mut answer: Value = serde_json::from_str(&answer).expect("JSON");
        for violation in answer["violations"].as_array_mut().into_iter().flatten() {
            let message = violation.as_object_mut().and_then(|members| members.remove("message"));
            let says = message.as_ref().and_then(Value::as_str).unwrap_or_default();
            assert!(says.ends_with('.'), "line {number}: {violation} must have a sentence, not {says:?}");
        }
        assert_eq!(answer, verdict, "line {number}: {case}");
    }
}

/// Messages included. `UPDATE_VECTORS=1` writes the files again, after an intended change of messages.
#[test]
fn every_byte_is_as_recorded() {
    recorded("verdicts.jsonl", rules_engine::evaluate);
    recorded("suggestions.jsonl", rules_engine::suggest);
}

/// Compares the answers of `answer` to all cases with a file, line by line.
fn recorded(name: &str, answer: fn(&str) -> String) {
    let answers: String = vectors().into_iter().map(|vector| answer(vector.case.get()) + "\n").collect();
    if env::var_os("UPDATE_VECTORS").is_some() {
        fs::write(path(name), &answers).expect("the record is written");
    }
    let recorded = fs::read_to_string(path(name)).expect("the record");
    for (number, (answer, recorded)) in (1..).zip(answers.lines().zip(recorded.lines())) {
        assert_eq!(answer, recorded, "{name}, line {number}");
    }
    assert_eq!(answers, recorded, "{name} has another length");
}

/// Judges the suggestion of each case as its bid.
#[test]
fn every_suggestion_is_accepted() {
    let mut found = 0;
    for (number, Vector { case, .. }) in (1..).zip(vectors()) {
        let least = rules_engine::suggest(case.get());
        if least == "null" {
            continue;
        }
        let mut parts: BTreeMap<&str, &RawValue> = serde_json::from_str(case.get()).expect("a case");
        let least: Box<RawValue> = serde_json::from_str(&least).expect("a bid");
        parts.insert("bid", &least);
        let verdict = rules_engine::evaluate(&serde_json::to_string(&parts).expect("a case"));
        assert!(verdict.starts_with(r#"{"accepted":true"#), "line {number}: {verdict}");
        found += 1;
    }
    assert!(found >= 300, "only {found} of 400 cases got a suggestion");
}
