//! What every endpoint shares: problems, bodies, paths, headers. The only folder besides the `routes.rs`
//! files that knows HTTP.

pub mod body;
pub mod path;
pub mod problem;
