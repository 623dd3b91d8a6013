//! Checks the laws of the JSON interface for any text. The properties use the same laws.

#![no_main]

#[path = "../../tests/support/laws.rs"]
mod laws;

libfuzzer_sys::fuzz_target!(|text: &str| laws::hold(text));
