//! Amounts as text. Only the engine computes with amounts.

mod typed;
mod value;
mod words;

pub use typed::typed_number;
pub use value::{StaticValue, Value};
pub use words::{amount_in, counted, in_words, number_of, percent, plural, unit_after, unit_word};
