//! The pages, one folder per noun. The browser gets only the islands of `admin`, `auctions`, `dashboard` and `items`.

#[cfg(feature = "ssr")]
pub mod account;
pub mod admin;
pub mod auctions;
#[cfg(feature = "ssr")]
pub mod books;
#[cfg(any(feature = "ssr", feature = "follow"))]
pub mod dashboard;
pub mod items;
#[cfg(feature = "ssr")]
pub mod joining;
#[cfg(feature = "ssr")]
pub mod members;
#[cfg(feature = "ssr")]
pub mod start;
