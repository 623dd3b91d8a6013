//! The server's clock when a page was rendered, in milliseconds since 1970. The server fills it in when the
//! page is complete.

#[cfg(not(feature = "ssr"))]
pub type PageTime = i64;

#[cfg(feature = "ssr")]
pub use crate::blanks::PageTime;
