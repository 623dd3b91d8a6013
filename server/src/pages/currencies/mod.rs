//! The pages of an auction's currencies, which show its rules, too.

pub mod edit;
mod form;
pub mod list;
pub mod new;

pub use list::{done, read_editable};
