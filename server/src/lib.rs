//! The parts of the `farthing` binary: routes, pages and their forms, commands, demo.

// Views of pages are types as deep as their elements.
#![recursion_limit = "256"]

pub mod cli;
pub mod codes;
pub mod demo;
pub mod http;
pub mod pages;
pub mod pictures;
pub mod router;
pub mod site;
pub mod state;
