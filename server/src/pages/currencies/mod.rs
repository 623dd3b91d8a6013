//! The pages of an auction's currencies, which show its rules, too.

pub mod edit;
pub(super) mod form;
pub mod import;
pub mod import_file;
pub mod list;
pub mod new;
pub mod try_template;

pub use list::{done, read_editable};
