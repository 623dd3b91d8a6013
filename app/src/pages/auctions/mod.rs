//! Auctions: find, create, browse, join; their currencies and rules, with the bench to try them on.

pub mod bench;
pub mod catalogue;

#[cfg(feature = "ssr")]
pub mod currencies;
#[cfg(feature = "ssr")]
pub mod list;
#[cfg(feature = "ssr")]
pub mod new;
#[cfg(feature = "ssr")]
pub mod rules;
#[cfg(feature = "ssr")]
pub mod show;
