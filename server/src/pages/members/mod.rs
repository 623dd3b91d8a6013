//! The page of an auction's members.

mod link;
pub mod show;

pub use link::link_url;
