//! JSON responses.

pub use axum::Json;
