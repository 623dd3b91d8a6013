//! The digits of an amount never pass through a float. serde buffers the fields of a flattened struct and of
//! a tagged or untagged enum, with decimals as floats; so does `serde_json::Value`.

use std::collections::BTreeSet;

use super::definition::{definitions, naming};
use super::finding::{Exception, Finding, check};
use super::source::{Source, below, words};

const CRATES: &[&str] = &["app/", "rules-engine/", "server/"];

/// Types that hold the digits of an amount. Every type that names one of them in its definition is one, too.
const AMOUNTS: &[&str] = &["EnteredCount", "Fixed", "Literal", "Normalized", "RawValue"];

/// Attributes with which serde reads through a buffer.
const BUFFERED: &[&str] = &["flatten", "tag", "untagged"];

const EXCEPTIONS_OF_VALUES: &[Exception] = &[
    Exception {
        path: "server/installation/src/releases/api.rs",
        what: "serde_json::Value",
        reason: "reads the list of releases, which holds no amount",
    },
    Exception {
        path: "server/src/http/api_docs/older.rs",
        what: "serde_json::Value",
        reason: "rewrites the document of the API, which holds no amount",
    },
];

#[test]
fn no_type_with_an_amount_is_buffered_by_serde() {
    let definitions: Vec<_> = below(CRATES).flat_map(definitions).collect();
    let amounts = naming(&definitions, AMOUNTS.iter().copied());
    let with_amounts = definitions.iter().filter(|definition| amounts.contains(definition.name));
    let buffered = with_amounts.flat_map(|definition| {
        let attributes = serde_attributes(definition.code);
        let found =
            attributes.filter(|(_, attribute)| words(attribute).any(|(_, word)| BUFFERED.contains(&word)));
        found.map(|(at, _)| Finding::new(definition.source, definition.offset + at, definition.name))
    });
    check(
        "it holds an amount, whose digits `flatten`, `tag` and `untagged` turn into a float",
        &buffered.collect::<Vec<_>>(),
        &[],
    );
}

#[test]
fn no_json_is_held_as_a_value() {
    let findings: Vec<_> = below(CRATES).flat_map(values).collect();
    check(
        "read into a type of its own: `serde_json::Value` holds decimals as floats",
        &findings,
        EXCEPTIONS_OF_VALUES,
    );
}

fn serde_attributes(code: &str) -> impl Iterator<Item = (usize, &str)> {
    code.match_indices("#[serde(").map(|(at, _)| (at, code[at..].split(']').next().unwrap_or("")))
}

/// Where a file names `serde_json::Value` or the macro that makes one.
fn values(source: &'static Source) -> impl Iterator<Item = Finding> {
    let has_use = |statement: &str| words(statement).any(|(_, word)| word == "Value");
    let imports = source
        .code
        .match_indices("use serde_json::")
        .filter(move |(at, _)| has_use(source.code[*at..].split(';').next().unwrap_or("")));
    let paths = source.code.match_indices("serde_json::Value").chain(source.code.match_indices("json!"));
    let found: BTreeSet<_> = imports.chain(paths).map(|(at, _)| source.line(at)).collect();
    let offset = |line: usize| source.code.split_inclusive('\n').take(line - 1).map(str::len).sum::<usize>();
    found.into_iter().map(move |line| Finding::new(source, offset(line), "serde_json::Value"))
}
