//! Books in SQL.

pub mod batch;
