//! Becoming a member of an auction.

pub mod join;
pub mod routes;
