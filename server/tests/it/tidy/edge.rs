//! HTTP types are at the edge: handlers, extractors, the HTTP folders of `platform`, and the binary.

use super::finding::{Exception, Finding, check};
use super::source::{Source, below};

const ADVICE: &str =
    "HTTP types belong to routes.rs, extract.rs, platform/src/http, platform/src/net and server/src";

const EXCEPTIONS: &[Exception] = &[Exception {
    path: "server/auction-house/src/live/",
    what: "axum",
    reason: "`Bytes`, a text that all listeners of a stream share, is a type of the body",
}];

#[test]
fn http_types_are_at_the_edge() {
    let inner = below(&[
        "app/",
        "rules-engine/",
        "server/accounts/",
        "server/auction-house/",
        "server/installation/",
        "server/platform/",
    ]);
    let findings: Vec<_> = inner.filter(|source| !is_edge(&source.path)).flat_map(http_types).collect();
    check(ADVICE, &findings, EXCEPTIONS);
}

#[test]
fn app_state_is_named_by_the_binary_only() {
    let inner = below(&[
        "app/",
        "rules-engine/",
        "server/accounts/",
        "server/auction-house/",
        "server/installation/",
        "server/platform/",
    ]);
    let findings: Vec<_> = inner
        .flat_map(|source| {
            let named = source.words().filter(|(_, word)| *word == "AppState");
            named.map(move |(offset, _)| Finding::new(source, offset, "AppState"))
        })
        .collect();
    check("take the parts that the handler needs: `State<Database>`, `State<BidQueue>`", &findings, &[]);
}

fn is_edge(path: &str) -> bool {
    let file = path.rsplit('/').next().unwrap_or("");
    matches!(file, "routes.rs" | "extract.rs")
        || path.starts_with("server/platform/src/http/")
        || path.starts_with("server/platform/src/net/")
}

/// Paths that begin with the crate `axum` or the crate `http`. A module of that name follows `crate::` or the
/// name of its crate.
fn http_types(source: &Source) -> impl Iterator<Item = Finding> {
    let roots = source.words().filter(|(offset, word)| {
        let is_path = source.code[offset + word.len()..].starts_with("::");
        matches!(*word, "axum" | "http") && is_path && !source.code[..*offset].ends_with("::")
    });
    roots.map(move |(offset, word)| Finding::new(source, offset, word))
}
