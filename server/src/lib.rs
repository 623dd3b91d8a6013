//! The process: HTTP, database, accounts, auctions, the bid queue. Each noun has a folder; in it `routes.rs`
//! speaks HTTP, `store.rs` speaks SQL, and the verbs between them have a file each.

pub mod accounts;
pub mod auctions;
pub mod bids;
pub mod cli;
pub mod clock;
pub mod config;
pub mod currencies;
pub mod db;
pub mod demo;
pub mod entropy;
pub mod fields;
pub mod http;
pub mod ids;
pub mod instances;
pub mod items;
pub mod killed;
pub mod limits;
pub mod listen;
pub mod live;
pub mod members;
pub mod pages;
pub mod paging;
pub mod precondition;
pub mod router;
pub mod rules;
pub mod site;
pub mod state;
pub mod supervisor;
pub mod system;
pub mod updates;
