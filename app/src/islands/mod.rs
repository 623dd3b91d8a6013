//! The islands of pages, and what they contain: the parts that react in the browser, one folder per noun.
//! The pages that hold them are in `server/src/pages`.

pub mod auctions;
#[cfg(any(feature = "ssr", feature = "draw"))]
pub mod draw;
#[cfg(any(feature = "ssr", feature = "clerk"))]
pub mod hall;
pub mod items;
#[cfg(any(feature = "ssr", feature = "pot"))]
pub mod runs;
