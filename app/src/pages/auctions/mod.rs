//! Auctions: find, create, browse, join.

pub mod list;
pub mod new;
pub mod show;
