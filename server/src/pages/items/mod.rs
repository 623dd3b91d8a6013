//! The pages of items and their forms.

mod bid_rows;
mod bid_words;
pub mod bids;
mod draw_facts;
pub mod edit;
mod entered;
pub(super) mod facts;
pub(super) mod form;
pub mod import;
mod late_bids;
pub(in crate::pages) mod least_first_bid;
pub(super) mod lots;
pub mod many;
pub mod new;
pub mod outcome;
pub(super) mod outcome_facts;
pub mod pictures;
mod sealed_terms;
pub mod show;
mod similar;
pub mod viewed;
pub mod withdraw;

pub use entered::entered;
