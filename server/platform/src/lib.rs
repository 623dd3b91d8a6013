//! The technical parts of the server, without a product noun: time, time zones, ids, randomness, the
//! database, HTTP, connections, body fields, caches, rate limits, threads of low priority and logging.

pub mod body;
pub mod cache;
pub mod csv_text;
pub mod db;
pub mod email;
pub mod fair;
pub mod fields;
pub mod file_store;
pub mod files;
pub mod http;
pub mod idempotency;
pub mod ids;
pub mod limits;
pub mod log_field;
pub mod logging;
pub mod low_priority;
pub mod machine;
pub mod mail;
pub mod memory;
pub mod net;
pub mod own_thread;
pub mod paging;
pub mod precondition;
pub mod random;
pub mod retry;
pub mod search_text;
pub mod shape;
pub mod signals;
pub mod single_line;
pub mod text;
pub mod text_enum;
pub mod time;
pub mod token;
pub mod verb;
pub mod zone;
