//! Amounts as text. Only the engine computes with amounts.

mod typed;
mod value;
mod words;

pub use typed::typed_number;
pub use value::{StaticValue, Value};
pub use words::{BIDS, NEW_ITEMS, amount_in, counted, in_words, number_of, percent, unit_after};
