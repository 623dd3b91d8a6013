//! The process: HTTP, database, accounts, auctions, the bid queue. Each noun has a folder; in it `routes.rs`
//! speaks HTTP, `store.rs` speaks SQL, and the verbs between them have a file each.

pub mod auctions;
pub mod bids;
pub mod clock;
pub mod currencies;
pub mod db;
pub mod entropy;
pub mod fields;
pub mod http;
pub mod ids;
pub mod items;
pub mod members;
pub mod rules;
pub mod state;
