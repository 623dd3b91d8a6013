//! Amounts as text. Only the engine computes with amounts.

mod value;
mod words;

pub use value::{StaticValue, Value};
pub use words::{counted, in_words, percent, plural, unit_word};
