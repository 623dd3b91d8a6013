//! Closing items and auctions. An item is closed through the queue of its bids, so that its close comes
//! before or after each bid; the transaction that closes it writes its outcome.

mod cancel_drawn;
pub mod cancel_item;
pub mod close_auction;
pub mod close_ended_item;
pub mod correct;
pub mod end_item;
mod next_outcome;
pub mod reconcile;
pub mod routes;
