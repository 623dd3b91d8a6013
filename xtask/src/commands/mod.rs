//! One file per command, and one per kind of `bench` that this tool measures itself.

pub mod bench;
mod bench_against;
mod bench_engine;
mod bench_page;
pub mod build;
pub mod check;
pub mod dist;
pub mod install;
pub mod npm;
pub mod postgres;
pub mod run;
pub mod test;
pub mod works_with;
