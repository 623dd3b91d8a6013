//! The pages, by the noun that they are about. The islands of `admin`, `auctions` and `items` are also built for the
//! browser, the pages themselves only for the server.

#[cfg(feature = "ssr")]
pub mod account;
pub mod admin;
pub mod auctions;
pub mod items;
#[cfg(feature = "ssr")]
pub mod start;
