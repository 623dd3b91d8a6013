//! One file per command.

pub mod bench;
pub mod bench_engine;
pub mod build;
pub mod npm;
pub mod postgres;
pub mod run;
pub mod test;
