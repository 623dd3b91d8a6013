//! The pages of books.

mod entries;
pub(super) mod facts;
pub mod import;
pub mod join;
pub mod list;
pub mod new;
mod run_case;
pub mod runs;
pub mod settings;
pub mod show;
mod terms;
