//! `/draw`: repeats a draw of tickets with the engine, in the browser, so that anyone can check its outcome.

pub mod check;
mod repeat;

#[cfg(feature = "ssr")]
mod page;

#[cfg(feature = "ssr")]
pub use page::draw_page;
