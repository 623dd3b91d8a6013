//! Books in SQL.

pub mod batch;
pub mod choice;
