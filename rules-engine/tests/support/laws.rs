//! Laws of the JSON interface for any text: checked by properties, by a fuzzer, and on former findings.

use rules_engine::{
    BidContext, BidForm, CompiledCase, ItemTerms, Normalized, ProfileDefinition, RuleDefinition, RuleSet,
};
use serde::Deserialize;
use serde_json::{Value, value::RawValue};

/// A case, read by `serde`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Case {
    profile: ProfileDefinition,
    rules: Vec<RuleDefinition>,
    item: ItemTerms,
    highest: Option<Normalized>,
    available: Option<Normalized>,
    bid: BidForm,
}

/// The answers of the Rust API with `serde_json`; none if the case is invalid.
pub fn by_serde(json: &str) -> Option<(String, String)> {
    let case: Case = serde_json::from_str(json).ok()?;
    let most: Normalized = "1000000000000000".parse().expect("an amount");
    let debt = Normalized::from_mantissa(-most.mantissa()).expect("an amount");
    if case.highest.is_some_and(|highest| highest < Normalized::ZERO || highest > most)
        || case.available.is_some_and(|available| available < debt || available > most)
        || case.bid.check().is_err()
    {
        return None;
    }
    let rules = RuleSet::compile(&case.profile, &case.rules, &case.item).ok()?;
    let json = |value: &dyn Fn() -> serde_json::Result<String>| value().expect("JSON");
    let context = BidContext { highest: case.highest, available: case.available };
    let verdict = rules.evaluate(context, &case.bid);
    let least = rules.suggest(context);
    Some((json(&|| serde_json::to_string(&verdict)), json(&|| serde_json::to_string(&least))))
}

/// Both functions answer in JSON: a verdict with its five members, a bid, null or an error.
pub fn answers(case: &str) -> (String, String) {
    let (verdict, least) = (rules_engine::evaluate(case), rules_engine::suggest(case));
    let read: Value = serde_json::from_str(&verdict).expect("JSON");
    let members: Vec<&str> = read.as_object().expect("an object").keys().map(String::as_str).collect();
    assert!(read["error"].is_string() && members.len() == 1 || members.len() == 5, "{verdict}");
    let read: Value = serde_json::from_str(&least).expect("JSON");
    assert!(read.is_null() || read.is_object(), "{least}");
    (verdict, least)
}

/// The bid of a case.
#[derive(Deserialize)]
struct Parts<'a> {
    #[serde(borrow)]
    bid: &'a RawValue,
}

/// Every function answers any text, and those that judge bids like `serde`; a compiled case gives the same
/// answers; and a suggestion is accepted.
pub fn hold(json: &str) {
    let rows: Value = serde_json::from_str(&rules_engine::run(json)).expect("JSON");
    assert!(rows["error"].is_string() || rows["rows"].is_array(), "{rows} of {json}");
    for winners in [rules_engine::settle(json), rules_engine::draw(json)] {
        let winners: Value = serde_json::from_str(&winners).expect("JSON");
        assert!(winners["error"].is_string() || winners["winners"].is_array(), "{winners} of {json}");
    }
    let (verdict, least) = answers(json);
    match by_serde(json) {
        Some(expected) => assert_eq!((&verdict, &least), (&expected.0, &expected.1), "{json}"),
        None => assert!(verdict.starts_with(r#"{"error":"#), "{verdict} of {json}"),
    }
    let Ok(mut compiled) = CompiledCase::compile(json) else {
        return assert!(least.starts_with(r#"{"error":"#), "{least} of {json}");
    };
    assert_eq!(compiled.suggest(), least, "{json}");
    if let Ok(parts) = serde_json::from_str::<Parts>(json) {
        assert_eq!(
            compiled.evaluate(parts.bid.get()).starts_with(r#"{"error":"#),
            verdict.starts_with(r#"{"error":"#)
        );
    }
    if least != "null" {
        assert!(compiled.evaluate(&least).starts_with(r#"{"accepted":true"#), "{least} of {json}");
    }
    // Any text is judged as the fields of a form, and answered as a run, too.
    let mask = compiled.check(json);
    assert_eq!(mask == 0, CompiledCase::codes(mask).next().is_none());
}
