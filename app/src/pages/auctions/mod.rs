//! Auctions: find, create, browse, join; their currencies and rules, with a test bench.

#[cfg(any(feature = "ssr", feature = "bench"))]
pub mod bench;
#[cfg(any(feature = "ssr", feature = "follow"))]
pub mod catalogue;

#[cfg(feature = "ssr")]
mod controls;
#[cfg(feature = "ssr")]
pub mod fields;
#[cfg(feature = "ssr")]
mod goal;
#[cfg(feature = "ssr")]
pub mod list;
#[cfg(feature = "ssr")]
pub mod new_settings;
#[cfg(feature = "ssr")]
pub mod next_steps;
#[cfg(feature = "ssr")]
pub mod results;
#[cfg(feature = "ssr")]
pub mod settings;
#[cfg(feature = "ssr")]
pub mod share;
#[cfg(feature = "ssr")]
pub mod show;
