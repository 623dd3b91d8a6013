//! The server from the outside: real requests to the real router on a real database, under a clock that the
//! test holds. `routes/` mirrors URLs; `http/` holds what is the same for all of them.

#![expect(clippy::unwrap_used, reason = "a helper of tests that cannot continue fails the test")]

mod cli;
mod demo;
mod harness;
mod http;
mod pages;
mod process;
mod routes;
mod tidy;
