//! `/api/auctions/{auction_id}/currencies…`

mod create;
mod delete;
mod patch;
