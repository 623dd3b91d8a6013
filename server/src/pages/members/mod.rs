//! The page of an auction's members.

mod invites;
pub(super) mod link;
mod list;
pub mod show;
mod transfer;
pub(super) mod words;

pub use link::link_url;
