//! Amounts as text. Only the engine computes with amounts.

mod typed_amount;
mod typed_bid;
mod value;
mod words;
mod written_price;

pub use rules_engine::typed_number;
pub use typed_amount::{number_note, shown_amount, shown_number, typed_amount};
pub use typed_bid::typed_bid;
pub use value::{SaidValue, StaticValue, Value};
pub use words::{
    BIDS, NEW_ITEMS, amount_in, base_amount, counted, in_words, number_of, percent, said, says_the_same,
    unit_after,
};
pub use written_price::{price_as_typed, written_price};
