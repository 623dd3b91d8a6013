//! The corpus: cases with the verdicts that the specification requires, and the exact bytes of the engine's
//! answers, which the WebAssembly build must give as well. `engine.jsonl` has the rules on increments and
//! denominations, `engine-2.jsonl` those on steps and on what the bidder has available, `engine-3.jsonl`
//! ladders, upper limits, pieces that are not written and amounts with up to 8 digits, with the suggestions
//! expected.

#![expect(clippy::expect_used, reason = "a test that can't read its corpus has failed")]

use std::{collections::BTreeMap, env, fs, path::PathBuf};

use rules_engine::Normalized;
use serde_json::{Value, value::RawValue};

#[derive(serde::Deserialize)]
struct Vector {
    case: Box<RawValue>,
    verdict: Value,
    suggest: Option<Expected>,
}

/// What a suggestion must be: this bid, or a bid of so many pieces and of this value, exactly or at most.
#[derive(serde::Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Expected {
    #[serde(default, deserialize_with = "given")]
    bid: Option<Value>,
    pieces: Option<String>,
    value: Option<String>,
    max_pieces: Option<String>,
    max_value: Option<String>,
}

/// Null is a value here: no bid.
fn given<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<Option<Value>, D::Error> {
    serde::Deserialize::deserialize(deserializer).map(Some)
}

fn path(name: &str) -> PathBuf {
    [env!("CARGO_MANIFEST_DIR"), "tests", "vectors", name].iter().collect()
}

/// A file of cases, and the files of recorded answers to them.
struct Corpus {
    cases: &'static str,
    verdicts: &'static str,
    suggestions: &'static str,
    /// How many cases there are, and how many of them get a suggestion at least.
    count: usize,
    suggested: usize,
}

const CORPORA: [Corpus; 3] = [
    Corpus {
        cases: "engine.jsonl",
        verdicts: "verdicts.jsonl",
        suggestions: "suggestions.jsonl",
        count: 400,
        suggested: 300,
    },
    Corpus {
        cases: "engine-2.jsonl",
        verdicts: "verdicts-2.jsonl",
        suggestions: "suggestions-2.jsonl",
        count: 200,
        suggested: 100,
    },
    Corpus {
        cases: "engine-3.jsonl",
        verdicts: "verdicts-3.jsonl",
        suggestions: "suggestions-3.jsonl",
        count: 174,
        suggested: 140,
    },
];

impl Corpus {
    fn vectors(&self) -> Vec<Vector> {
        let text = fs::read_to_string(path(self.cases)).expect("the corpus");
        let read = |line| serde_json::from_str(line).expect("a case with its verdict");
        let vectors: Vec<Vector> = text.lines().map(read).collect();
        assert_eq!(vectors.len(), self.count, "{}", self.cases);
        vectors
    }
}

#[test]
fn every_verdict_is_the_expected_one() {
    let vectors = CORPORA.iter().flat_map(|corpus| (1..).zip(corpus.vectors()));
    for (number, Vector { case, verdict, .. }) in vectors {
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
    for corpus in CORPORA {
        recorded(&corpus, corpus.verdicts, rules_engine::evaluate);
        recorded(&corpus, corpus.suggestions, rules_engine::suggest);
    }
}

/// Compares the answers of `answer` to all cases with a file, line by line.
fn recorded(corpus: &Corpus, name: &str, answer: fn(&str) -> String) {
    let answers: String =
        corpus.vectors().into_iter().map(|vector| answer(vector.case.get()) + "\n").collect();
    if env::var_os("UPDATE_VECTORS").is_some() {
        fs::write(path(name), &answers).expect("the record is written");
    }
    let recorded = fs::read_to_string(path(name)).expect("the record");
    for (number, (answer, recorded)) in (1..).zip(answers.lines().zip(recorded.lines())) {
        assert_eq!(answer, recorded, "{name}, line {number}");
    }
    assert_eq!(answers, recorded, "{name} has another length");
}

/// Runs of a book, sealed items and draws: the tables of SPEC, sections 6 and 12, and what is wrong.
#[test]
fn every_run_settlement_and_draw_is_as_recorded() {
    type Answer = fn(&str) -> String;
    #[derive(serde::Deserialize)]
    struct Line {
        case: Box<RawValue>,
    }
    let files: [(&str, &str, Answer); 3] = [
        ("runs.jsonl", "run-rows.jsonl", rules_engine::run),
        ("settlements.jsonl", "settlement-winners.jsonl", rules_engine::settle),
        ("draws.jsonl", "draw-winners.jsonl", rules_engine::draw),
    ];
    for (cases, recorded, answer) in files {
        let cases = fs::read_to_string(path(cases)).expect("the cases");
        let answer = |line| {
            let Line { case } = serde_json::from_str(line).expect("a case");
            answer(case.get()) + "\n"
        };
        let answers: String = cases.lines().map(answer).collect();
        if env::var_os("UPDATE_VECTORS").is_some() {
            fs::write(path(recorded), &answers).expect("the record is written");
        }
        assert_eq!(answers, fs::read_to_string(path(recorded)).expect("the record"));
    }
}

#[test]
fn every_suggestion_is_the_expected_one() {
    let vectors = CORPORA.iter().flat_map(|corpus| (1..).zip(corpus.vectors()));
    let mut checked = 0;
    for (number, Vector { case, suggest, .. }) in vectors {
        let Some(expected) = suggest else { continue };
        let least: Value = serde_json::from_str(&rules_engine::suggest(case.get())).expect("a bid");
        let decimal = |text: &str| text.parse::<Normalized>().expect("a decimal");
        let counts = least["enteredRepresentation"].as_array().into_iter().flatten();
        let counts = counts.filter_map(|entry| entry["count"].as_str()).map(decimal);
        let pieces = counts.fold(Normalized::ZERO, |sum, count| sum.checked_add(count).expect("a sum"));
        let verdict = judged(case.get(), &least.to_string());
        let value = verdict["normalizedAmount"].as_str().map(decimal);
        let Expected { bid, pieces: exactly, value: worth, max_pieces, max_value } = expected;
        assert!(bid.is_none_or(|bid| bid == least), "line {number}: {least} of {case}");
        assert!(
            exactly.is_none_or(|exactly| pieces == decimal(&exactly)),
            "line {number}: {least} of {case}"
        );
        assert!(worth.is_none_or(|worth| value == Some(decimal(&worth))), "line {number}: {least} of {case}");
        assert!(max_pieces.is_none_or(|most| pieces <= decimal(&most)), "line {number}: {least} of {case}");
        assert!(
            max_value.is_none_or(|most| value.is_some_and(|value| value <= decimal(&most))),
            "line {number}: {least} of {case}"
        );
        checked += 1;
    }
    assert!(checked >= 55, "only {checked} suggestions are expected");
}

/// The verdict of a case on another bid.
fn judged(case: &str, bid: &str) -> Value {
    let mut parts: BTreeMap<&str, &RawValue> = serde_json::from_str(case).expect("a case");
    let bid: Box<RawValue> = serde_json::from_str(if bid == "null" { "{}" } else { bid }).expect("a bid");
    parts.insert("bid", &bid);
    let verdict = rules_engine::evaluate(&serde_json::to_string(&parts).expect("a case"));
    serde_json::from_str(&verdict).expect("a verdict")
}

/// Judges the suggestion of each case as its bid.
#[test]
fn every_suggestion_is_accepted() {
    for corpus in CORPORA {
        let suggested = (1..).zip(corpus.vectors()).filter(|(number, vector)| suggested(*number, vector));
        let found = suggested.count();
        assert!(found >= corpus.suggested, "only {found} cases of {} got a suggestion", corpus.cases);
    }
}

/// Whether there is a suggestion, which must then be accepted.
fn suggested(number: usize, vector: &Vector) -> bool {
    let case = vector.case.get();
    let least = rules_engine::suggest(case);
    if least == "null" {
        return false;
    }
    let verdict = judged(case, &least);
    assert!(verdict["accepted"] == true, "line {number}: {verdict}");
    true
}
