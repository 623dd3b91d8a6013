//! What keeps a page true after it was drawn: the clock, the bids of others, and an
//! update's run.

pub mod apply;
pub mod board;
pub mod browser;
pub mod catalogue;
pub mod clock;
pub mod follow;
pub mod mirror;
pub mod wire;
