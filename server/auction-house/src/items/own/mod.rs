//! The items of a user in all auctions: those that the user sells or watches.

pub mod list;
pub mod routes;
pub mod views;
