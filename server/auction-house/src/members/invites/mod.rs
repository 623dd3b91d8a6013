//! Invites to an auction.

pub mod accept;
pub mod create;
pub mod delete;
pub mod document;
pub mod list;
pub mod routes;
pub mod target;
