//! The JSON doors: they never panic, always answer, and read and write what `serde` reads and writes.

use proptest::{collection::vec, prelude::*, sample::Index};
use rules_engine::{BidForm, ItemTerms, Normalized, ProfileDefinition, RuleDefinition, RuleSet};
use serde::Deserialize;
use serde_json::Value;

use crate::cases::case;

/// A case as `serde` reads it.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Case {
    profile: ProfileDefinition,
    rules: Vec<RuleDefinition>,
    item: ItemTerms,
    highest: Option<Normalized>,
    bid: BidForm,
}

/// The doors' answers by the crate's Rust API and `serde_json`; none where the case is none.
fn by_serde(json: &str) -> Option<(String, String)> {
    let case: Case = serde_json::from_str(json).ok()?;
    let most: Normalized = "1000000000000000".parse().expect("an amount");
    if case.highest.is_some_and(|highest| highest < Normalized::ZERO || highest > most)
        || case.bid.check().is_err()
    {
        return None;
    }
    let rules = RuleSet::compile(&case.profile, &case.rules, &case.item).ok()?;
    let json = |value: &dyn Fn() -> serde_json::Result<String>| value().expect("JSON");
    let verdict = rules.evaluate(case.highest, &case.bid);
    let least = rules.suggest(case.highest);
    Some((json(&|| serde_json::to_string(&verdict)), json(&|| serde_json::to_string(&least))))
}

/// Both doors answer in JSON: a verdict with its five members, a bid, null or an error.
fn answers(case: &str) -> (String, String) {
    let (verdict, least) = (rules_engine::evaluate(case), rules_engine::suggest(case));
    let read: Value = serde_json::from_str(&verdict).expect("JSON");
    let members: Vec<&str> = read.as_object().expect("an object").keys().map(String::as_str).collect();
    assert!(read["error"].is_string() && members.len() == 1 || members.len() == 5, "{verdict}");
    let read: Value = serde_json::from_str(&least).expect("JSON");
    assert!(read.is_null() || read.is_object(), "{least}");
    (verdict, least)
}

/// A case in JSON with a few bytes changed, taken out or put in.
fn damaged() -> impl Strategy<Value = String> {
    let bytes = prop_oneof![any::<u8>(), prop::sample::select(b"{}[]\",:0123456789.-+eEn \\/utf".to_vec())];
    let damage = vec((any::<Index>(), 0_u8..3, bytes), 1..4);
    (case(), any::<bool>(), damage).prop_map(|(case, numbers, damage)| {
        let mut json = case.json(numbers).into_bytes();
        for (index, kind, byte) in damage {
            let at = index.index(json.len());
            match kind {
                0 => json[at] = byte,
                1 => json.insert(at, byte),
                _ => drop(json.remove(at)),
            }
        }
        String::from_utf8_lossy(&json).into_owned()
    })
}

proptest! {
    #![proptest_config(crate::tries())]

    #[test]
    fn any_text_gets_an_answer(text in any::<String>(), bytes in vec(any::<u8>(), 0..200)) {
        answers(&text);
        answers(&String::from_utf8_lossy(&bytes));
    }

    #[test]
    fn cases_read_and_write_as_with_serde(case in case(), numbers in any::<bool>()) {
        let json = case.json(numbers);
        prop_assert_eq!(Some(answers(&json)), by_serde(&json), "{}", json);
    }

    #[test]
    fn damaged_cases_are_refused_as_with_serde(json in damaged()) {
        let (verdict, least) = answers(&json);
        match by_serde(&json) {
            Some(expected) => prop_assert_eq!((verdict, least), expected, "{}", json),
            None => prop_assert!(verdict.starts_with(r#"{"error":"#), "{} of {}", verdict, json),
        }
    }

    /// Strings of any characters, escaped in any way, come through: a rule's id is quoted in its violations.
    #[test]
    fn strings_come_through_whole(id in "\\PC{1,20}|[\\x00-\\x7f]{1,20}") {
        let id = Value::from(id);
        let escaped: String = id.as_str().unwrap_or_default().encode_utf16().map(|unit| format!("\\u{unit:04x}")).collect();
        for written in [id.to_string(), format!("\"{escaped}\"")] {
            let json = format!(
                r#"{{"profile":{{"id":"p","inputMode":"SCALAR","rateToBase":1}},"rules":[{{"id":{written},
                "type":"MIN_INCREMENT","params":{{"amount":5}},"position":0}}],"item":{{}},"highest":1,
                "bid":{{"amount":2}}}}"#
            );
            let verdict = rules_engine::evaluate(&json);
            let expected = by_serde(&json).map(|(verdict, _)| verdict);
            prop_assert_eq!(Some(&verdict), expected.as_ref());
            let read: Value = serde_json::from_str(&verdict).expect("JSON");
            prop_assert_eq!(&read["violations"][0]["ruleId"], &id, "{}", verdict);
        }
    }
}

/// Nesting costs no stack, where it is passed over and where it is refused.
#[test]
fn depth_is_no_danger() {
    let deep = "[".repeat(100_000);
    let closed = deep.clone() + &"]".repeat(100_000);
    for (name, accepted) in [(&deep, false), (&closed, true)] {
        let json = format!(
            r#"{{"profile":{{"id":"p","inputMode":"SCALAR","rateToBase":1,"name":{name}}},"rules":[],"item":{{}},
            "highest":null,"bid":{{"amount":2}}}}"#
        );
        assert_eq!(answers(&json).0.contains(r#""accepted":true"#), accepted);
    }
    answers(&deep);
}
