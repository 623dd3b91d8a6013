//! Parts that all endpoints use: problems, bodies, paths, headers, cookies, the origin check and the read
//! limit.

pub mod answer_memory;
pub mod body;
pub mod codes;
pub mod cookie;
pub mod cross_site;
pub mod csv_body;
pub mod download;
pub mod encoding;
pub mod etag;
pub mod format;
pub mod headers;
pub mod json;
pub mod keyed;
pub mod large_body;
pub mod paging;
pub mod path;
pub mod problem;
pub mod public_url;
pub mod read_limiter;
pub mod request_id;
pub mod rows;
mod settings;
pub mod sse;
pub mod table;
pub mod table_text;
pub mod upload;
pub mod wrong_rows;

pub use settings::HttpSettings;
