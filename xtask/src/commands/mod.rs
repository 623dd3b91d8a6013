//! One file per command, and the tables that both kinds of `bench` write.

pub mod bench;
mod bench_engine;
mod bench_page;
pub mod build;
pub mod install;
pub mod npm;
pub mod postgres;
pub mod run;
pub mod test;
