//! The `farthing` binary: every route, the pages and their forms, the commands, the demo, the benchmark.

pub mod bridge;
pub mod cli;
pub mod demo;
pub mod http;
pub mod pages;
pub mod router;
pub mod site;
pub mod state;
