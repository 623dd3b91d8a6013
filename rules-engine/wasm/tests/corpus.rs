//! The corpus as WebAssembly: the same bytes as recorded by the native run, in Node and, with the feature
//! `in-browser`, in a browser.

#![cfg(target_arch = "wasm32")]
#![expect(clippy::expect_used, reason = "a test that can't read its corpus has failed")]

#[path = "../../tests/support/agreement.rs"]
mod agreement;

use rules_engine_wasm::RuleSet;
use serde_json::value::RawValue;
use wasm_bindgen_test::wasm_bindgen_test;

#[cfg(feature = "in-browser")]
wasm_bindgen_test::wasm_bindgen_test_configure!(run_in_browser);

const VECTORS: [&str; 2] =
    [include_str!("../../tests/vectors/engine.jsonl"), include_str!("../../tests/vectors/engine-2.jsonl")];
const VERDICTS: [&str; 2] = [
    include_str!("../../tests/vectors/verdicts.jsonl"),
    include_str!("../../tests/vectors/verdicts-2.jsonl"),
];
const SUGGESTIONS: [&str; 2] = [
    include_str!("../../tests/vectors/suggestions.jsonl"),
    include_str!("../../tests/vectors/suggestions-2.jsonl"),
];

#[derive(serde::Deserialize)]
struct Vector<'a> {
    #[serde(borrow)]
    case: &'a RawValue,
}

/// Compares the answer to each case with the recorded line.
fn compare(answer: fn(&str) -> String, recorded: [&str; 2]) {
    let mut compared = 0;
    let lines = VECTORS.iter().zip(recorded);
    for (line, recorded) in lines.flat_map(|(cases, recorded)| cases.lines().zip(recorded.lines())) {
        let vector: Vector = serde_json::from_str(line).expect("a case");
        compared += 1;
        assert_eq!(answer(vector.case.get()), recorded, "line {compared}");
    }
    assert_eq!(compared, 600);
}

#[wasm_bindgen_test]
fn verdicts_are_the_bytes_of_the_native_run() {
    compare(rules_engine_wasm::evaluate, VERDICTS);
}

#[wasm_bindgen_test]
fn suggestions_are_the_bytes_of_the_native_run() {
    compare(rules_engine_wasm::suggest, SUGGESTIONS);
}

/// Compares the answer to each case of a file with the recorded line.
fn compare_files(answer: fn(&str) -> String, cases: &str, recorded: &str) {
    let mut compared = 0;
    for (line, recorded) in cases.lines().zip(recorded.lines()) {
        let vector: Vector = serde_json::from_str(line).expect("a case");
        compared += 1;
        assert_eq!(answer(vector.case.get()), recorded, "line {compared}");
    }
    assert!(compared > 20, "{compared} cases");
}

#[wasm_bindgen_test]
fn runs_are_the_bytes_of_the_native_run() {
    compare_files(
        rules_engine_wasm::run,
        include_str!("../../tests/vectors/runs.jsonl"),
        include_str!("../../tests/vectors/run-rows.jsonl"),
    );
}

#[wasm_bindgen_test]
fn settlements_are_the_bytes_of_the_native_run() {
    compare_files(
        rules_engine_wasm::settle,
        include_str!("../../tests/vectors/settlements.jsonl"),
        include_str!("../../tests/vectors/settlement-winners.jsonl"),
    );
}

#[wasm_bindgen_test]
fn draws_are_the_bytes_of_the_native_run() {
    compare_files(
        rules_engine_wasm::draw,
        include_str!("../../tests/vectors/draws.jsonl"),
        include_str!("../../tests/vectors/draw-winners.jsonl"),
    );
}

impl agreement::Compiled for RuleSet {
    fn compile(case: &str) -> Self {
        Self::new(case).unwrap_or_else(|_| panic!("no case: {case}"))
    }

    fn check(&mut self, entered: &str) -> (Vec<String>, Option<String>) {
        let mask = self.check(entered);
        (Self::codes(mask).split_whitespace().map(str::to_owned).collect(), self.normalized())
    }

    fn evaluate(&self, bid: &str) -> String {
        self.evaluate(bid)
    }

    fn suggest(&self) -> String {
        self.suggest()
    }
}

#[wasm_bindgen_test]
fn a_rule_set_agrees_with_evaluate_on_the_whole_corpus() {
    agreement::holds_on_the_whole_corpus::<RuleSet>();
}

#[wasm_bindgen_test]
fn a_rule_set_takes_another_highest_bid() {
    let case =
        r#"{"profile":{"id":"p","inputMode":"SCALAR","rateToBase":1},"rules":[],"item":{},"highest":4}"#;
    let mut rules = RuleSet::new(case).unwrap_or_else(|_| panic!("a case"));
    assert_eq!(rules.check("5"), 0);
    assert!(rules.set_highest(Some("5".to_owned())).is_ok());
    assert_eq!(RuleSet::codes(rules.check("5")), "EQUAL_NOT_HIGHER");
    assert!(rules.set_highest(Some("many".to_owned())).is_err());
    assert!(rules.set_highest(None).is_ok());
    assert_eq!(rules.check("1"), 0);
}

#[wasm_bindgen_test]
fn an_invalid_case_makes_no_rule_set() {
    assert!(RuleSet::new("{}").is_err());
}

#[wasm_bindgen_test]
fn an_invalid_case_is_an_error_and_does_not_throw() {
    for text in ["", "{}", "null", "[[[[", "{\"profile\":\u{0}}"] {
        assert!(rules_engine_wasm::evaluate(text).starts_with(r#"{"error":""#));
        assert!(rules_engine_wasm::suggest(text).starts_with(r#"{"error":""#));
        for answer in [rules_engine_wasm::run, rules_engine_wasm::settle, rules_engine_wasm::draw] {
            assert!(answer(text).starts_with(r#"{"error":""#));
        }
    }
}
