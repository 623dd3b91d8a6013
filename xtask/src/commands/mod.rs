//! One file per command.

pub mod build;
pub mod run;
pub mod test;
