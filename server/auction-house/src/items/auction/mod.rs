//! Changes an auction together with its items: their ends follow the end of the auction.

mod ends;
pub mod patch;
pub mod routes;
