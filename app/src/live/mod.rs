//! Live updates of islands: the clock, and other people's bids.
//!
//! The script `live.js` opens the streams of a page. Islands [`follow`] theirs through it: [`board`]
//! and [`catalogue`] apply its events to signals. Parts that only the server can render are refreshed by the
//! script itself.

pub mod apply;
pub mod board;
pub mod browser;
pub mod catalogue;
pub mod clock;
pub mod follow;
pub mod json;
pub mod wire;
