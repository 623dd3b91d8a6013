//! Sessions as their user sees and ends them.

pub mod end;
pub mod routes;
