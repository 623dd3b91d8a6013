//! The pages of items and their forms.

mod bid_rows;
mod bid_words;
pub mod bids;
pub(super) mod draw;
mod draw_facts;
pub mod edit;
mod entered;
pub(super) mod facts;
mod fields;
pub(super) mod form;
mod format_fields;
mod gallery;
pub mod import;
mod late_bids;
pub(in crate::pages) mod least_first_bid;
mod lot_preview;
pub(super) mod lot_rows;
pub(super) mod lots;
pub mod many;
pub mod new;
pub mod outcome;
pub(super) mod outcome_facts;
pub(super) mod outcome_marks;
pub mod pictures;
mod price_fields;
mod sealed_terms;
pub mod show;
mod similar;
pub(super) mod sold_price;
pub mod viewed;
pub mod withdraw;

pub use entered::entered;
