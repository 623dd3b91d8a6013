//! The link with which others join an auction.

use auction_house::auctions::access::AuctionView;

/// The address of the page on which others join, if there is one and the viewer may pass it on.
pub fn link_url(seen: &AuctionView, site: &str) -> Option<String> {
    seen.link().map(|token| format!("{site}/join/{}", token.as_str()))
}
