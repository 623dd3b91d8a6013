//! The catalogue that follows an auction, and the test bench of its rules.

#[cfg(any(feature = "ssr", feature = "bench"))]
pub mod bench;
#[cfg(any(feature = "ssr", feature = "follow"))]
pub mod catalogue;
