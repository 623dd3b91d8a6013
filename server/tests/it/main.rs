//! The server from the outside: real requests to the real router on a real database, under a clock that the
//! test holds. Folders mirror URLs.

#![allow(clippy::unwrap_used, reason = "a test that can not go on has failed")]

mod harness;
mod process;
mod routes;
