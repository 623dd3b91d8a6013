//! Bid, and follow an item live.

pub mod advice;
pub mod bid_field;
pub mod bid_form;
pub mod board;
pub mod chart;
pub mod confirmation;
pub mod draft;
pub mod evaluation;
pub mod form_state;
pub mod send;
pub mod verdict;

#[cfg(feature = "ssr")]
pub mod bid_row_facts;
#[cfg(any(feature = "ssr", feature = "bench"))]
pub mod demo;
#[cfg(any(feature = "ssr", feature = "bid"))]
pub mod live_item;
#[cfg(any(feature = "ssr", feature = "bid"))]
mod tab_title;
