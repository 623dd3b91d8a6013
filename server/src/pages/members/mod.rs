//! The page of an auction's members.

mod link;
mod qr;
pub mod show;

pub use link::link_url;
