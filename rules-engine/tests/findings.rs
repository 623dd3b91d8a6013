//! Former findings of the fuzzer and of properties, tried at every run: `fuzz/findings/`, one text per file.

#![expect(clippy::expect_used, reason = "a test that can't read its findings has failed")]

#[path = "support/laws.rs"]
mod laws;

use std::{fs, path::Path};

#[test]
fn former_findings_stay_fixed() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz/findings");
    let mut tried = 0;
    for entry in fs::read_dir(folder).expect("the findings") {
        let text = fs::read(entry.expect("a finding").path()).expect("a finding");
        laws::hold(&String::from_utf8_lossy(&text));
        tried += 1;
    }
    assert!(tried >= 10, "only {tried} findings");
}
