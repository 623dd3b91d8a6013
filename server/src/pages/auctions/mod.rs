//! The pages of auctions: find, create, browse, join, change, and their results.

mod checkout_facts;
mod controls;
pub(super) mod facts;
mod fields;
mod goal;
pub mod list;
pub mod new;
pub mod new_settings;
mod next_steps;
pub mod results;
pub mod results_facts;
pub mod settings;
pub mod share;
pub mod show;
mod start_form;
mod sums;
pub(super) mod terms;
mod trend;
