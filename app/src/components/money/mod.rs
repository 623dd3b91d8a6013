//! Amounts as people read them. Nothing here computes: that is the engine's.

mod words;
mod worth;

pub use words::{counted, in_words, percent, plural, unit_word};
pub use worth::{StillWorth, Worth};
