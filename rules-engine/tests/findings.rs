//! What a fuzzer or a property once found, or nearly did, is tried at every run: `fuzz/findings/`, a text a file.

#![expect(clippy::expect_used, reason = "a test that can't read its findings has failed")]

#[path = "support/laws.rs"]
mod laws;

use std::{fs, path::Path};

#[test]
fn what_was_found_once_stays_right() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz/findings");
    let mut tried = 0;
    for entry in fs::read_dir(folder).expect("the findings") {
        let text = fs::read(entry.expect("a finding").path()).expect("a finding");
        laws::hold(&String::from_utf8_lossy(&text));
        tried += 1;
    }
    assert!(tried >= 10, "only {tried} findings");
}
