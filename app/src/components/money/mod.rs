//! Amounts as text. Only the engine computes with amounts.

mod typed;
mod value;
mod words;

pub use rules_engine::typed::{number_note, typed_number};
pub use typed::{
    composed, lowered, price_as_typed, shown_amount, shown_number, typed_amount, typed_bid, typed_price,
};
pub use value::{SaidValue, StaticValue, Value};
pub use words::{
    BIDS, NEW_ITEMS, amount_in, base_amount, counted, in_words, number_of, percent, said, says_the_same,
    unit_after,
};
