//! Liveness and readiness probes.

pub mod routes;
