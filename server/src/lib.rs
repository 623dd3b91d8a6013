//! The process: HTTP, database, accounts, auctions, the bid queue. Each noun has a folder; in it `routes.rs`
//! speaks HTTP, `store.rs` speaks SQL, and the verbs between them have a file each.

pub mod clock;
pub mod db;
pub mod entropy;
pub mod http;
pub mod ids;
pub mod state;
