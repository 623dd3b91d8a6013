//! Rules about the source tree that the compiler does not check: which folder may contain what, and which
//! room may import which. The tests read files only; none starts a server.
//!
//! A place that breaks a rule is either fixed or listed as an exception with its reason, in a constant above
//! the test. An exception that matches nothing fails its test, so that no list outlives its cause.

mod amounts;
mod comments;
mod commits;
mod definition;
mod edge;
mod files;
mod finding;
mod invariants;
mod names;
mod once;
mod operate;
mod pages;
mod rooms;
pub mod router;
mod scripts;
mod source;
mod spec;
mod sql;
mod storeys;
mod views;
mod words;
