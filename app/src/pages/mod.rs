//! The pages, one folder per noun. The browser gets only the islands of `auctions`, `draw`, `hall`, `items`
//! and `runs`.

#[cfg(feature = "ssr")]
pub mod admin;
pub mod auctions;
#[cfg(feature = "ssr")]
pub mod dashboard;
#[cfg(any(feature = "ssr", feature = "draw"))]
pub mod draw;
#[cfg(any(feature = "ssr", feature = "clerk"))]
pub mod hall;
pub mod items;
#[cfg(feature = "ssr")]
pub mod joining;
#[cfg(any(feature = "ssr", feature = "pot"))]
pub mod runs;
