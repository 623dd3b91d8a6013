//! What every endpoint shares: problems, bodies, paths, headers. The only folder besides the `routes.rs`
//! files that knows HTTP.

pub mod body;
pub mod client_address;
pub mod cookie;
pub mod cross_site;
pub mod document;
mod error_page;
pub mod etag;
pub mod headers;
pub mod json;
pub mod layers;
pub mod openapi;
pub mod paging;
pub mod patch;
pub mod path;
pub mod problem;
pub mod public_url;
pub mod request_id;
pub mod session;
pub mod turns;
