//! What keeps a page true after it was drawn: the clock, and the bids of others.

pub mod apply;
pub mod board;
pub mod browser;
pub mod catalogue;
pub mod clock;
pub mod follow;
pub mod wire;
