//! The npm package of Farthing's rules engine: `evaluate`, `suggest`, `run`, `settle` and `draw`, and a class
//! for forms.
//!
//! The functions take one case and never throw: an invalid case gives `{"error": "…"}`.

use rules_engine::CompiledCase;
use wasm_bindgen::{JsError, prelude::wasm_bindgen};

#[cfg(target_arch = "wasm32")]
#[global_allocator]
static ALLOCATOR: rlsf::SmallGlobalTlsf = rlsf::SmallGlobalTlsf::new();

/// The TypeScript types of the JSON texts, generated from the Rust types.
#[wasm_bindgen(typescript_custom_section)]
const TYPES: &str = include_str!("../types/rules_engine.d.ts");

/// Judges one bid: the verdict as JSON text.
#[wasm_bindgen]
#[must_use]
pub fn evaluate(#[wasm_bindgen(js_name = caseJson)] case_json: &str) -> String {
    rules_engine::evaluate(case_json)
}

/// The least bid that is accepted, as JSON text, or `null`.
#[wasm_bindgen]
#[must_use]
pub fn suggest(#[wasm_bindgen(js_name = caseJson)] case_json: &str) -> String {
    rules_engine::suggest(case_json)
}

/// The rows of a run of a book, and what it keeps, as JSON text.
#[wasm_bindgen]
#[must_use]
pub fn run(#[wasm_bindgen(js_name = caseJson)] case_json: &str) -> String {
    rules_engine::run(case_json)
}

/// The winners of sealed bids, and what they pay, as JSON text.
#[wasm_bindgen]
#[must_use]
pub fn settle(#[wasm_bindgen(js_name = caseJson)] case_json: &str) -> String {
    rules_engine::settle(case_json)
}

/// The winners of tickets, as JSON text.
#[wasm_bindgen]
#[must_use]
pub fn draw(#[wasm_bindgen(js_name = caseJson)] case_json: &str) -> String {
    rules_engine::draw(case_json)
}

/// A compiled case, for a form that judges at each keystroke. `free()` releases its memory.
#[wasm_bindgen]
#[derive(Debug)]
pub struct RuleSet(CompiledCase);

#[wasm_bindgen]
impl RuleSet {
    /// Compiles a case; a `bid` in it has no effect. Throws an `Error` if the case is invalid.
    #[wasm_bindgen(constructor)]
    pub fn new(#[wasm_bindgen(js_name = caseJson)] case_json: &str) -> Result<Self, JsError> {
        CompiledCase::compile(case_json).map(Self).map_err(|error| JsError::new(&error))
    }

    /// Checks the fields of a form: the amount, or the counts in the profile's order, one per line
    /// (`"3\n\n7"`; an empty line is a field that was not filled in). 0 means accepted; otherwise each bit is
    /// a code, which `codes` names.
    pub fn check(&mut self, entered: &str) -> u32 {
        self.0.check(entered)
    }

    /// The value in base units of the bid that was checked last, if it could be normalized.
    #[wasm_bindgen(getter)]
    #[must_use]
    pub fn normalized(&self) -> Option<String> {
        self.0.normalized().map(String::from)
    }

    /// The codes of a result of `check`, in the order of SPEC, section 6, separated by spaces.
    #[must_use]
    pub fn codes(mask: u32) -> String {
        let mut codes = String::new();
        for code in CompiledCase::codes(mask) {
            codes.push_str(if codes.is_empty() { "" } else { " " });
            codes.push_str(code.as_str());
        }
        codes
    }

    /// The verdict on a bid (`{"amount": …}` or `{"enteredRepresentation": […]}` as JSON text): the same
    /// bytes as `evaluate` for the case with this bid. Never throws.
    #[must_use]
    pub fn evaluate(&self, #[wasm_bindgen(js_name = bidJson)] bid_json: &str) -> String {
        self.0.evaluate(bid_json)
    }

    /// The least bid that is accepted, as JSON text, or `null`.
    #[must_use]
    pub fn suggest(&self) -> String {
        self.0.suggest()
    }

    /// Sets the highest bid for the following calls: a decimal, or nothing if there is none. Throws an
    /// `Error` for anything else, and then keeps the former.
    #[wasm_bindgen(js_name = setHighest)]
    pub fn set_highest(&mut self, highest: Option<String>) -> Result<(), JsError> {
        self.0.set_highest(highest.as_deref()).map_err(|error| JsError::new(&error))
    }

    /// Sets what the bidder has available for the following calls: a decimal, or nothing in an auction
    /// without a book. Throws an `Error` for anything else, and then keeps the former.
    #[wasm_bindgen(js_name = setAvailable)]
    pub fn set_available(&mut self, available: Option<String>) -> Result<(), JsError> {
        self.0.set_available(available.as_deref()).map_err(|error| JsError::new(&error))
    }
}
