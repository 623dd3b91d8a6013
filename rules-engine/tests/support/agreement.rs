//! Checks that a compiled case agrees with `evaluate` on the whole corpus, natively and in WebAssembly.

use serde_json::{Value, value::RawValue};

const VECTORS: [&str; 3] = [
    include_str!("../vectors/engine.jsonl"),
    include_str!("../vectors/engine-2.jsonl"),
    include_str!("../vectors/engine-3.jsonl"),
];

/// A compiled case, behind any interface.
pub trait Compiled: Sized {
    fn compile(case: &str) -> Self;
    /// The codes that the fields of a form violate, and their value.
    fn check(&mut self, entered: &str) -> (Vec<String>, Option<String>);
    fn evaluate(&self, bid: &str) -> String;
    fn suggest(&self) -> String;
}

#[derive(serde::Deserialize)]
struct Vector<'a> {
    #[serde(borrow)]
    case: &'a RawValue,
}

#[derive(serde::Deserialize)]
struct Parts<'a> {
    profile: Value,
    #[serde(borrow)]
    bid: &'a RawValue,
}

#[derive(serde::Deserialize)]
#[serde(rename_all = "camelCase")]
struct Bid<'a> {
    #[serde(borrow)]
    amount: Option<&'a RawValue>,
    #[serde(borrow)]
    entered_representation: Option<Vec<Entry<'a>>>,
}

#[derive(serde::Deserialize)]
struct Entry<'a> {
    denomination: String,
    #[serde(borrow)]
    count: &'a RawValue,
}

pub fn holds_on_the_whole_corpus<C: Compiled>() {
    let mut checked = 0;
    for line in VECTORS.iter().flat_map(|cases| cases.lines()) {
        let vector: Vector = serde_json::from_str(line).expect("a case");
        let case = vector.case.get();
        let mut compiled = C::compile(case);
        let parts: Parts = serde_json::from_str(case).expect("a case");
        let verdict = rules_engine::evaluate(case);
        assert_eq!(compiled.evaluate(parts.bid.get()), verdict, "{case}");
        assert_eq!(compiled.suggest(), rules_engine::suggest(case), "{case}");

        let Some(entered) = fields(&parts) else { continue };
        let verdict: Value = serde_json::from_str(&verdict).expect("a verdict");
        let (named, normalized) = compiled.check(&entered);
        assert_eq!(named, codes(&verdict), "{case}");
        assert_eq!(named.is_empty(), verdict["accepted"] == true, "{case}");
        assert_eq!(normalized.as_deref(), verdict["normalizedAmount"].as_str(), "{case}");
        checked += 1;
    }
    assert!(checked >= 450, "only {checked} of 660 bids come from a form");
}

/// The fields of a form that sends this bid. None if only a program would send it: both
/// members or the wrong one, entries in another order, a code twice or unknown, a number without a character.
fn fields(parts: &Parts) -> Option<String> {
    let bid: Bid = serde_json::from_str(parts.bid.get()).expect("a bid");
    let scalar = parts.profile["inputMode"] == "SCALAR";
    match (bid.amount, bid.entered_representation) {
        (None, None) => Some(String::new()),
        (Some(amount), None) if scalar => text(amount),
        (None, Some(entries)) if !scalar => {
            let mut entries = entries.into_iter().peekable();
            let mut counts = Vec::new();
            for denomination in parts.profile["denominations"].as_array()? {
                let entry = entries.next_if(|entry| denomination["code"] == entry.denomination);
                counts.push(entry.map_or(Some(String::new()), |entry| text(entry.count))?);
            }
            entries.next().is_none().then(|| counts.join("\n"))
        }
        _ => None,
    }
}

/// A number's own text, or a string's.
fn text(value: &RawValue) -> Option<String> {
    let json = value.get();
    let text = serde_json::from_str(json).unwrap_or_else(|_| json.to_owned());
    Some(text).filter(|text: &String| !text.is_empty())
}

fn codes(verdict: &Value) -> Vec<String> {
    let violations = verdict["violations"].as_array().expect("a verdict");
    let codes = violations.iter().filter_map(|violation| violation["code"].as_str());
    let mut codes: Vec<String> = codes.map(str::to_owned).collect();
    codes.dedup();
    codes
}
