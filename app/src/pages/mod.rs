//! The pages, one folder per noun. The browser gets only the islands of `auctions`, `draw`, `hall`, `items`
//! and `runs`.

#[cfg(feature = "ssr")]
pub mod account;
#[cfg(feature = "ssr")]
pub mod admin;
pub mod auctions;
#[cfg(feature = "ssr")]
pub mod books;
#[cfg(feature = "ssr")]
pub mod dashboard;
#[cfg(feature = "ssr")]
pub mod demo;
#[cfg(any(feature = "ssr", feature = "draw"))]
pub mod draw;
#[cfg(feature = "ssr")]
pub mod groups;
#[cfg(any(feature = "ssr", feature = "clerk"))]
pub mod hall;
pub mod items;
#[cfg(feature = "ssr")]
pub mod joining;
#[cfg(feature = "ssr")]
pub mod members;
#[cfg(feature = "ssr")]
pub mod notifications;
#[cfg(any(feature = "ssr", feature = "pot"))]
pub mod runs;
#[cfg(feature = "ssr")]
pub mod start;
