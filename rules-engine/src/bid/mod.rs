//! The path of a bid: parse, normalize, evaluate. And in the other direction, from the rules to the least
//! bid.

mod evaluate;
mod form;
mod input_error;
mod normalize;
mod parse;
mod suggest;
mod verdict;

pub use form::{BidForm, Entered, EnteredCount};
pub(crate) use form::{BidText, EntryText};
pub use verdict::Verdict;
