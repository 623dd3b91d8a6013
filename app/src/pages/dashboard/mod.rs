//! The viewer's bids, purchases, watched items and items for sale, in all auctions.

pub mod live;

#[cfg(feature = "ssr")]
pub mod lists;
#[cfg(feature = "ssr")]
mod row;
#[cfg(feature = "ssr")]
pub mod show;
