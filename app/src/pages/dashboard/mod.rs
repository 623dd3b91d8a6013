//! The viewer's bids, purchases, watched items and items for sale, in all auctions.

pub mod lists;
mod row;
pub mod show;
mod tiles;
