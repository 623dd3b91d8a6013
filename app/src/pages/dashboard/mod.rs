//! The viewer's bids, purchases, watched items and items for sale, in all auctions.
