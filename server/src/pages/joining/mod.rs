//! The pages to which the link of an auction and an invite lead.

mod invitation;
pub mod invite;
pub mod link;
pub mod pictures;
pub mod way_in;
