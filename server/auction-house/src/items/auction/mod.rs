//! Changes an auction together with its items, whose ends follow the end of the auction, and deletes both.

pub mod delete;
mod ends;
pub mod patch;
pub mod routes;
