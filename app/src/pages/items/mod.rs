//! Items: sell, show, bid, follow live.

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

#[cfg(any(feature = "ssr", feature = "bench"))]
pub mod demo;
#[cfg(any(feature = "ssr", feature = "bid"))]
pub mod live_item;
#[cfg(any(feature = "ssr", feature = "bid"))]
mod tab_title;

#[cfg(feature = "ssr")]
pub mod bids;
#[cfg(feature = "ssr")]
pub mod draw;
#[cfg(feature = "ssr")]
pub mod edit;
#[cfg(feature = "ssr")]
mod fields;
#[cfg(feature = "ssr")]
mod format_fields;
#[cfg(feature = "ssr")]
mod gallery;
#[cfg(feature = "ssr")]
pub mod import;
#[cfg(feature = "ssr")]
pub mod lot_rows;
#[cfg(feature = "ssr")]
pub mod many;
#[cfg(feature = "ssr")]
pub mod new;
#[cfg(feature = "ssr")]
pub mod outcome;
#[cfg(feature = "ssr")]
pub mod pictures;
#[cfg(feature = "ssr")]
mod price_fields;
#[cfg(feature = "ssr")]
pub mod rendered_rows;
#[cfg(feature = "ssr")]
pub mod show;
#[cfg(feature = "ssr")]
pub mod withdraw;
