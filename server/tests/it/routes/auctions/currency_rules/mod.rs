//! `/api/auctions/{auction_id}/currency-rules…`

mod create;
mod delete;
mod patch;
