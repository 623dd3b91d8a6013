//! The group commit: one transaction reads what waiting requests need, their verbs judge them one after the
//! other, and the result is written. It is durable before any of them is answered. No module here knows a
//! verb.
//!
//! A bid writes one row; the newest standing bid of an item is its highest. The item's row repeats neither
//! and is written only when anti-sniping moves the end. The ledger has no index by bidder, which every bid
//! would write: see `bidders.rs`.
//!
//! The writes of a batch run at its end: on SQLite in one call, on a connection of its own, while it holds
//! the writer permit; on PostgreSQL as one statement that compares versions, writes, and notifies the other
//! servers.

mod bidders;
mod books;
mod cache;
mod close;
pub mod closings;
pub mod commit;
mod item;
pub mod needs;
mod notifications;
mod placed;
mod recency;
mod sealed;
pub mod state;
mod withdrawals;
mod writes;
