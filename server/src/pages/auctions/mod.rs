//! The pages of auctions: find, create, browse, join, change, and their results.

pub(super) mod facts;
pub mod list;
pub mod new;
pub mod results;
mod results_facts;
pub mod settings;
pub mod show;
pub(super) mod terms;
