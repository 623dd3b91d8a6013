//! The corpus as WebAssembly: the same bytes that the native run has recorded, in Node and, with the feature
//! `in-browser`, in a browser.

#![cfg(target_arch = "wasm32")]
#![expect(clippy::expect_used, reason = "a test that can't read its corpus has failed")]

use serde_json::value::RawValue;
use wasm_bindgen_test::wasm_bindgen_test;

#[cfg(feature = "in-browser")]
wasm_bindgen_test::wasm_bindgen_test_configure!(run_in_browser);

const VECTORS: &str = include_str!("../../tests/vectors/engine.jsonl");
const VERDICTS: &str = include_str!("../../tests/vectors/verdicts.jsonl");
const SUGGESTIONS: &str = include_str!("../../tests/vectors/suggestions.jsonl");

#[derive(serde::Deserialize)]
struct Vector<'a> {
    #[serde(borrow)]
    case: &'a RawValue,
}

/// Each case through `door` against the recorded line.
fn compare(door: fn(&str) -> String, recorded: &str) {
    let mut compared = 0;
    for (line, recorded) in VECTORS.lines().zip(recorded.lines()) {
        let vector: Vector = serde_json::from_str(line).expect("a case");
        compared += 1;
        assert_eq!(door(vector.case.get()), recorded, "line {compared}");
    }
    assert_eq!(compared, 400);
}

#[wasm_bindgen_test]
fn verdicts_are_the_bytes_of_the_native_run() {
    compare(rules_engine_wasm::evaluate, VERDICTS);
}

#[wasm_bindgen_test]
fn suggestions_are_the_bytes_of_the_native_run() {
    compare(rules_engine_wasm::suggest, SUGGESTIONS);
}

#[wasm_bindgen_test]
fn what_is_no_case_is_an_error_and_does_not_throw() {
    for text in ["", "{}", "null", "[[[[", "{\"profile\":\u{0}}"] {
        assert!(rules_engine_wasm::evaluate(text).starts_with(r#"{"error":""#));
        assert!(rules_engine_wasm::suggest(text).starts_with(r#"{"error":""#));
    }
}
