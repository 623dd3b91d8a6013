//! Auctions: find, create, browse, join; their currencies and rules, with a test bench.

#[cfg(any(feature = "ssr", feature = "bench"))]
pub mod bench;
#[cfg(any(feature = "ssr", feature = "follow"))]
pub mod catalogue;
