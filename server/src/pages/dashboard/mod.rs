//! The viewer's bids, purchases, watched items and items for sale, in all auctions.

pub mod lists;
pub(in crate::pages) mod own_items;
mod row;
pub mod show;
mod tiles;
