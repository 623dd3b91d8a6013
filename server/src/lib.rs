//! The `farthing` binary: every route, the pages and their forms, the commands, the demo, the benchmark.

// The type of a rendered page is as deep as its elements.
#![recursion_limit = "256"]

pub mod bridge;
pub mod cli;
pub mod demo;
pub mod http;
pub mod pages;
pub mod router;
pub mod site;
pub mod state;
