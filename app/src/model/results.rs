//! The results of an auction, and the outcome of one item.

/// Winners of the summary, at most.
pub const WINNERS_MAX: usize = 25;
