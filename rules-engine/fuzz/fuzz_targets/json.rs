//! Any text at both doors. What must hold is said once, for the properties as well.

#![no_main]

#[path = "../../tests/support/laws.rs"]
mod laws;

libfuzzer_sys::fuzz_target!(|text: &str| laws::hold(text));
