//! The viewer's bids, purchases, watched items and items for sale, in all auctions.

pub mod lists;
mod own_items;
pub mod show;
