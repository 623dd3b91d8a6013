//! What a stream is about.

use crate::ids::{AuctionId, ItemId};

/// The subject of a stream.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Topic {
    Item(AuctionId, ItemId),
    Auction(AuctionId),
}

impl Topic {
    pub fn auction_id(self) -> AuctionId {
        match self {
            Self::Item(auction_id, _) | Self::Auction(auction_id) => auction_id,
        }
    }
}
