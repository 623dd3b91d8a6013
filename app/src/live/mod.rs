//! Live updates of a page in the browser: the clock, other people's bids, and the run of an update.
//!
//! [`follow`] keeps a stream open while the page is visible. [`board`] and [`catalogue`] apply its events to signals, which
//! the islands show. [`refresh`] is for a page whose content only the server can render.

pub mod apply;
#[cfg(any(feature = "ssr", feature = "bid"))]
pub mod balance;
pub mod board;
pub mod browser;
pub mod catalogue;
pub mod clock;
pub mod follow;
pub mod refresh;
pub mod wire;
