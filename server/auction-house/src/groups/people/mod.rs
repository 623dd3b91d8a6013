//! The people of a group, for its keepers.

pub mod add;
pub mod change;
pub mod export;
pub mod import;
pub mod list;
pub mod pins;
pub mod plan;
pub mod plan_document;
pub mod remove;
pub mod renew_pins;
pub mod undo_import;
pub mod undo_upgrade;
