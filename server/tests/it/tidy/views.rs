//! Views of pages get what their handlers have read: they name no store and take no connection.

use super::finding::{Finding, check};
use super::source::{Source, below, item_length, words};

const ADVICE: &str = "a view shows what its handler has read: read it in the handler, and pass it on";

#[test]
fn a_view_reads_nothing() {
    let pages = || below(&["server/src/pages/"]);
    assert!(pages().flat_map(views).count() > 300, "the views of the pages are found");
    check(ADVICE, &pages().flat_map(readings).collect::<Vec<_>>(), &[]);
}

/// The functions of a file that contain `view!`: where each begins, and its code.
fn views(source: &Source) -> impl Iterator<Item = (usize, &str)> {
    let functions = source.words().filter(|(_, word)| *word == "fn");
    let functions = functions.map(|(at, _)| (at, &source.code[at..at + item_length(&source.code[at..])]));
    functions.filter(|(_, code)| code.contains("view!"))
}

/// Stores and connections that views name.
fn readings(source: &'static Source) -> impl Iterator<Item = Finding> {
    views(source).flat_map(move |(start, code)| {
        let named = words(code).filter(|(offset, word)| match *word {
            "store" => code[offset + word.len()..].starts_with("::"),
            "Connection" => code[..*offset].ends_with("mut "),
            "Database" | "AppState" | "PageRequest" => true,
            _ => false,
        });
        named.map(move |(offset, word)| Finding::new(source, start + offset, word))
    })
}
