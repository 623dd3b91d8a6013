//! Tests of the server from the outside: HTTP requests to the complete router on a real database, with a
//! clock that the test sets. `routes/` mirrors the URLs; `http/` tests what all routes have in common.

#![expect(clippy::unwrap_used, reason = "a helper of tests that cannot continue fails the test")]

mod cli;
mod demo;
mod dice;
mod harness;
mod http;
mod mail;
mod pages;
mod process;
mod proxies;
mod released;
mod routes;
mod systemd;
mod tidy;
