//! The JSON interface: it never panics, always answers, and reads and writes like `serde`.

use proptest::{
    collection::vec,
    prelude::*,
    sample::{Index, select},
};
use serde_json::{Value, value::RawValue};

use crate::{
    cases::case,
    laws::{answers, by_serde, hold},
};

/// A case in JSON with a few bytes changed, taken out or put in.
fn damaged() -> impl Strategy<Value = String> {
    let bytes = prop_oneof![any::<u8>(), select(b"{}[]\",:0123456789.-+eEn \\/utf".to_vec())];
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

/// The cases of the corpus, each on its line.
fn corpus() -> impl Strategy<Value = String> {
    #[derive(serde::Deserialize)]
    struct Vector<'a> {
        #[serde(borrow)]
        case: &'a RawValue,
    }
    let vectors = [include_str!("../vectors/engine.jsonl"), include_str!("../vectors/engine-2.jsonl")];
    let lines = vectors.into_iter().flat_map(str::lines);
    let case = |line| serde_json::from_str::<Vector>(line).expect("a case").case.get().to_owned();
    select(lines.map(case).collect::<Vec<_>>())
}

/// What a fuzzer would try: a case of the corpus in which parts are removed, doubled, copied from another
/// case, or replaced by edge cases.
fn mutated() -> impl Strategy<Value = String> {
    let edge = select(vec![
        "0",
        "-0",
        "-1",
        "0.0000000000001",
        "999999999999999999.999999999",
        "1e9",
        "1000000000000000",
        "1000000000000.0001",
        "null",
        "true",
        "[]",
        "{}",
        "\"\"",
        "\"\\ud800\\udc00\"",
        "\"\\u0022\"",
        ",",
        ":",
        "\u{0}",
        "amount",
        "enteredRepresentation",
        "DENOMINATION",
        "tiers",
        "step",
        "STEP",
    ]);
    let change = (0_u8..5, any::<Index>(), any::<Index>(), any::<Index>(), edge);
    (corpus(), corpus(), vec(change, 1..6)).prop_map(|(case, other, changes)| {
        let mut text = case.into_bytes();
        for (kind, from, length, place, edge) in changes {
            let from = from.index(text.len() + 1);
            let to = (from + length.index(40)).min(text.len());
            match kind {
                0 => drop(text.drain(from..to)),
                1 => {
                    let part = text[from..to].to_vec();
                    let place = place.index(text.len() + 1);
                    text.splice(place..place, part);
                }
                2 => {
                    let start = place.index(other.len());
                    let end = (start + length.index(200)).min(other.len());
                    text.splice(from..from, other.as_bytes()[start..end].iter().copied());
                }
                3 => drop(text.splice(from..to, edge.bytes())),
                _ => token(&mut text, from, edge),
            }
        }
        String::from_utf8_lossy(&text).into_owned()
    })
}

/// Replaces the value or the name at or after `from`, so that the text is most likely still JSON.
fn token(text: &mut Vec<u8>, from: usize, instead: &str) {
    let part = |byte: &u8| byte.is_ascii_alphanumeric() || b"-.+_\"".contains(byte);
    let Some(start) = text.iter().skip(from).position(part).map(|at| from + at) else { return };
    let end = text.iter().skip(start).position(|byte| !part(byte)).map_or(text.len(), |at| start + at);
    text.splice(start..end, instead.bytes());
}

proptest! {
    #![proptest_config(crate::tries())]

    #[test]
    fn any_text_gets_an_answer(text in any::<String>(), bytes in vec(any::<u8>(), 0..200)) {
        hold(&text);
        hold(&String::from_utf8_lossy(&bytes));
    }

    #[test]
    fn what_a_fuzzer_tries_gets_an_answer(json in mutated()) {
        hold(&json);
    }

    #[test]
    fn cases_read_and_write_like_serde(case in case(), numbers in any::<bool>()) {
        let json = case.json(numbers);
        prop_assert_eq!(Some(answers(&json)), by_serde(&json), "{}", json);
    }

    #[test]
    fn damaged_cases_are_refused_like_serde(json in damaged()) {
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
