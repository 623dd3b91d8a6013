//! The npm package of Farthing's rules engine: its two JSON doors, and nothing else.
//!
//! Both take one case and never throw: what is wrong with it comes back as `{"error": "…"}`.

use wasm_bindgen::prelude::wasm_bindgen;

/// Judges one bid: the verdict as JSON text.
#[wasm_bindgen]
#[must_use]
pub fn evaluate(case_json: &str) -> String {
    rules_engine::evaluate(case_json)
}

/// The least bid that is accepted, as JSON text, or `null`.
#[wasm_bindgen]
#[must_use]
pub fn suggest(case_json: &str) -> String {
    rules_engine::suggest(case_json)
}
