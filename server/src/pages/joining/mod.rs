//! The pages to which the link of an auction and an invite lead.

pub mod go;
mod invitation;
pub mod invite;
pub mod link;
pub mod pictures;
