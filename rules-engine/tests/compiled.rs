//! A compiled case gives the same answers as `evaluate` and `suggest`.

#![expect(clippy::expect_used, reason = "a test that can't read its corpus has failed")]

#[path = "support/agreement.rs"]
mod agreement;

use rules_engine::CompiledCase;

impl agreement::Compiled for CompiledCase {
    fn compile(case: &str) -> Self {
        Self::compile(case).expect("a case")
    }

    fn check(&mut self, entered: &str) -> (Vec<String>, Option<String>) {
        let codes = Self::codes(self.check(entered)).map(|code| code.as_str().to_owned()).collect();
        (codes, self.normalized().map(String::from))
    }

    fn evaluate(&self, bid: &str) -> String {
        self.evaluate(bid)
    }

    fn suggest(&self) -> String {
        self.suggest()
    }
}

#[test]
fn it_agrees_with_evaluate_on_the_whole_corpus() {
    agreement::holds_on_the_whole_corpus::<CompiledCase>();
}

const CASE: &str = r#"{"profile":{"id":"p","inputMode":"DENOMINATION","rateToBase":1,
    "denominations":[{"code":"A","factor":2},{"code":"B","factor":1}]},"rules":[],"item":{},"highest":4}"#;

fn check(compiled: &mut CompiledCase, entered: &str) -> String {
    let mask = compiled.check(entered);
    CompiledCase::codes(mask).map(|code| code.as_str()).collect::<Vec<_>>().join(" ")
}

#[test]
fn fields_are_lines_in_the_profiles_order() {
    let mut compiled = CompiledCase::compile(CASE).expect("a case");
    for (entered, codes, normalized) in [
        ("2\n1", "", Some("5")),
        ("2", "EQUAL_NOT_HIGHER", Some("4")),
        ("\n5", "", Some("5")),
        ("3\n", "", Some("6")),
        ("", "REPRESENTATION_REQUIRED", None),
        ("\n", "REPRESENTATION_REQUIRED", None),
        ("2\n1\n\n", "", Some("5")),
        ("2\n1\n7", "UNKNOWN_DENOMINATION", None),
        ("x\n-1", "INVALID_NUMBER NEGATIVE", None),
        ("0\n0", "NOT_POSITIVE", None),
    ] {
        assert_eq!(check(&mut compiled, entered), codes, "{entered:?}");
        assert_eq!(compiled.normalized().map(String::from).as_deref(), normalized, "{entered:?}");
    }
}

#[test]
fn another_highest_bid_replaces_the_former() {
    let mut compiled = CompiledCase::compile(CASE).expect("a case");
    compiled.set_highest(Some("5.5")).expect("a decimal");
    assert_eq!(check(&mut compiled, "\n5"), "EQUAL_NOT_HIGHER");
    for wrong in ["-1", "x", "", "1000000000000000.1", "0.00000000000001"] {
        assert!(compiled.set_highest(Some(wrong)).is_err(), "{wrong}");
        assert_eq!(check(&mut compiled, "\n5"), "EQUAL_NOT_HIGHER", "the former stays");
    }
    compiled.set_highest(None).expect("none");
    assert_eq!(check(&mut compiled, "\n1"), "");
}

#[test]
fn another_available_amount_replaces_the_former() {
    let mut compiled = CompiledCase::compile(CASE).expect("a case");
    compiled.set_available(Some("4.5")).expect("a decimal");
    assert_eq!(check(&mut compiled, "\n5"), "INSUFFICIENT_BALANCE");
    for wrong in ["x", "", "1000000000000000.1", "-1000000000000000.1", "0.00000000000001"] {
        assert!(compiled.set_available(Some(wrong)).is_err(), "{wrong}");
        assert_eq!(check(&mut compiled, "\n5"), "INSUFFICIENT_BALANCE", "the former stays");
    }
    compiled.set_available(Some("-1000000000000000")).expect("a debt");
    assert_eq!(compiled.suggest(), "null", "no bid is affordable");
    compiled.set_available(None).expect("none");
    assert_eq!(check(&mut compiled, "\n5"), "");
}

#[test]
fn an_invalid_case_does_not_compile() {
    for text in ["", "{}", "null", &CASE.replace("\"rateToBase\":1", "\"rateToBase\":0")] {
        let error = CompiledCase::compile(text).expect_err("no case");
        assert_eq!(rules_engine::suggest(text), format!(r#"{{"error":"{error}"}}"#));
    }
    let compiled = CompiledCase::compile(CASE).expect("a case");
    assert!(compiled.evaluate("{").starts_with(r#"{"error":"#));
    assert!(compiled.evaluate(r#"{"enteredRepresentation":[]} "#).starts_with(r#"{"accepted":false"#));
    assert!(compiled.evaluate("{}{}").starts_with(r#"{"error":"#));
}
