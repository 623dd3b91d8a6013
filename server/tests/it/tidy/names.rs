//! Names of public types. Each stands for one type in the workspace, so that a search finds the right one.

use std::collections::{BTreeMap, BTreeSet};

use super::finding::{Exception, Finding, check};
use super::source::{Source, below};

/// The folders of crates. The sale and the accounts are one: the rooms of both are used side by side.
const CRATES: [&[&str]; 8] = [
    &["app/src/"],
    &["server/src/"],
    &["server/auction-house/src/", "server/accounts/src/"],
    &["server/platform/src/"],
    &["server/installation/src/"],
    &["rules-engine/src/"],
    &["xtask/src/"],
    &["bench/src/"],
];

const TYPES: [&str; 5] = ["enum", "struct", "trait", "type", "union"];

const DOCUMENT: &str = "what the browser reads of it, in the document of the API or of a page";
const ENGINE: &str = "what the engine needs of it, without ids and columns";

/// Names that two crates give to one noun. They are found in the crate that is listed later.
const EXCEPTIONS: &[Exception] = &[
    Exception { path: "rules-engine/", what: "Again", reason: ENGINE },
    Exception { path: "server/auction-house/", what: "BaseUnit", reason: DOCUMENT },
    Exception { path: "server/auction-house/", what: "Denomination", reason: DOCUMENT },
    Exception { path: "server/auction-house/", what: "Funds", reason: DOCUMENT },
    Exception { path: "rules-engine/", what: "ItemTerms", reason: ENGINE },
    Exception {
        path: "server/installation/",
        what: "Pause",
        reason: "the header of pages shows it, and `app` knows no installation",
    },
    Exception { path: "server/accounts/", what: "Person", reason: DOCUMENT },
    Exception { path: "server/platform/", what: "Problem", reason: DOCUMENT },
    Exception { path: "rules-engine/", what: "SealedBid", reason: ENGINE },
    Exception { path: "rules-engine/", what: "SealedTerms", reason: ENGINE },
    Exception {
        path: "server/accounts/",
        what: "Theme",
        reason: "the document of a page has it as an attribute, and `app` knows no preferences",
    },
    Exception { path: "rules-engine/", what: "Tie", reason: ENGINE },
    Exception { path: "server/auction-house/", what: "Withdrawal", reason: DOCUMENT },
];

#[test]
fn no_two_crates_have_a_public_type_of_one_name() {
    let mut owners: BTreeMap<&str, BTreeSet<usize>> = BTreeMap::new();
    let mut findings = Vec::new();
    for (number, folders) in CRATES.iter().enumerate() {
        for source in below(folders) {
            for (offset, name) in public_types(source) {
                let crates = owners.entry(name).or_default();
                crates.insert(number);
                if crates.len() > 1 {
                    findings.push(Finding::new(source, offset, name));
                }
            }
        }
    }
    assert!(owners.len() > 1_000, "the public types are found: {}", owners.len());
    check(
        "another crate has a public type of this name: choose the more precise word, or make it private",
        &findings,
        EXCEPTIONS,
    );
}

/// The names of the types that a file declares as `pub`, those in macros included.
fn public_types(source: &'static Source) -> impl Iterator<Item = (usize, &'static str)> {
    let code = source.code.as_str();
    let mut words = source.words().peekable();
    std::iter::from_fn(move || {
        loop {
            let (offset, _) = words.find(|(_, word)| *word == "pub")?;
            let (kind_at, kind) = *words.peek()?;
            let is_public = code[offset + "pub".len()..kind_at].trim().is_empty();
            if is_public && TYPES.contains(&kind) {
                // In the text of a macro the name is a lower-case variable.
                let (offset, name) = words.nth(1)?;
                if name.starts_with(|first: char| first.is_ascii_uppercase()) {
                    return Some((offset, name));
                }
            }
        }
    })
}
