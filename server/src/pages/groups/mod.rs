//! The pages of groups.

pub mod cards;
pub(super) mod facts;
pub mod go;
pub mod import;
pub mod list;
pub mod new;
pub mod people;
pub mod show;
