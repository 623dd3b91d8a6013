//! What every endpoint shares: problems, bodies, paths, headers, cookies, the origin check.

pub mod body;
pub mod cookie;
pub mod cross_site;
pub mod etag;
pub mod headers;
pub mod json;
pub mod keyed;
pub mod paging;
pub mod patch;
pub mod path;
pub mod problem;
pub mod public_url;
pub mod request_id;
mod settings;
pub mod sse;
pub mod turns;

pub use settings::HttpSettings;
