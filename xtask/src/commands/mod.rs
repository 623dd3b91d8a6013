//! One file per command.

pub mod bench;
pub mod build;
pub mod run;
pub mod test;
