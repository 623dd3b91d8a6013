//! Words and attributes that no file has.

use super::finding::{Exception, Finding, check};
use super::source::{Piece, Source, all};

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

/// A doc comment that begins with one of these is the end of a sentence that a reader has to complete.
const BEGINNINGS: &[&str] = &["As", "Of", "That", "Those"];

#[test]
fn doc_comments_begin_with_a_noun_or_a_verb() {
    let findings: Vec<_> =
        all().iter().flat_map(|source| first_lines(source).filter_map(beginning(source))).collect();
    check("a doc comment says what it describes, or what a function does", &findings, &[]);
}

/// The first lines of the comments of a file, each of which may go on in the next lines.
fn first_lines(source: &'static Source) -> impl Iterator<Item = &'static Piece> {
    let mut end_of_last = 0;
    source.comments.iter().filter(move |comment| {
        let between = source.code.get(end_of_last..comment.offset).unwrap_or_default();
        end_of_last = comment.offset + comment.text.len();
        !between.trim().is_empty() || between.matches('\n').count() != 1
    })
}

/// Finds a doc comment that begins with one of [`BEGINNINGS`].
fn beginning(source: &'static Source) -> impl Fn(&Piece) -> Option<Finding> {
    move |comment| {
        let text = comment.text.strip_prefix("///").or_else(|| comment.text.strip_prefix("//!"))?;
        let first = text.split_whitespace().next()?;
        BEGINNINGS.contains(&first).then(|| Finding::new(source, comment.offset, first))
    }
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
    let found =
        source.comments.iter().filter(move |comment| comment.text.to_ascii_lowercase().contains(phrase));
    found.map(move |comment| Finding::new(source, comment.offset, phrase))
}
