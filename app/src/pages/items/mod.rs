//! Items: sell, see, bid, follow live.

pub mod advice;
pub mod bid_field;
pub mod bid_form;
pub mod board;
pub mod chart;
pub mod demo;
pub mod desk;
pub mod entry;
pub mod judgement;
pub mod send;

#[cfg(feature = "ssr")]
pub mod bids;
#[cfg(feature = "ssr")]
pub mod new;
#[cfg(feature = "ssr")]
pub mod show;
