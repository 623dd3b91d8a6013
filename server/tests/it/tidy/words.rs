//! Words and attributes that no file has.

use super::finding::{Exception, Finding, check};
use super::source::{Source, all};

/// Phrases that make a reader translate or look elsewhere, in lower case.
const PHRASES: &[&str] = &["as above", "see the module.", "somebody", "whoever"];

const EXCEPTIONS_OF_PHRASES: &[Exception] = &[];

#[test]
fn comments_are_in_plain_english() {
    let findings: Vec<_> = all()
        .iter()
        .flat_map(|source| PHRASES.iter().flat_map(move |phrase| comments_with(source, phrase)))
        .collect();
    check(
        "a comment stands alone and names the component, the user or the request",
        &findings,
        EXCEPTIONS_OF_PHRASES,
    );
}

#[test]
fn lints_are_expected_never_allowed() {
    let findings: Vec<_> = all()
        .iter()
        .flat_map(|source| {
            let marks = ["#[allow(", "#![allow("];
            let found = marks.into_iter().flat_map(|mark| source.code.match_indices(mark));
            found.map(move |(offset, _)| Finding::new(source, offset, "allow"))
        })
        .collect();
    check("write `#[expect(…, reason = \"…\")]`, which warns once it is no longer needed", &findings, &[]);
}

fn comments_with(source: &'static Source, phrase: &'static str) -> impl Iterator<Item = Finding> {
    let found = source.comments.iter().filter(move |comment| comment.text.to_lowercase().contains(phrase));
    found.map(move |comment| Finding::new(source, comment.offset, phrase))
}
