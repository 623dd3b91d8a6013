//! The installation itself.

pub mod routes;
