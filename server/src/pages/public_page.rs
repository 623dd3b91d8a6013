//! The words for viewers who are no members, on pages of an auction that anyone may read.

use app::model::{Entrance, Guest, PictureFile, PublicPage};

use super::request::PageRequest;
use accounts::registration::RegistrationMode;
use auction_house::auctions::access::AuctionView;
use auction_house::auctions::{JoinMode, ReadableBy};

/// The facts of such a page. `text` and `picture` are for search engines and link previews.
pub fn public_page(
    request: &PageRequest,
    seen: &AuctionView,
    text: String,
    picture: Option<PictureFile>,
) -> Option<PublicPage> {
    let is_public = seen.auction.terms.readable_by == ReadableBy::Anyone;
    is_public.then(|| PublicPage { text, picture, guest: guest(request, seen) })
}

fn guest(request: &PageRequest, seen: &AuctionView) -> Option<Guest> {
    let is_signed_in = request.user.is_some();
    let entrance = match seen.auction.terms.join_mode {
        _ if seen.auction.is_closed(request.now) => Entrance::Closed,
        JoinMode::Free => Entrance::FirstBid,
        JoinMode::Link => Entrance::Link,
        JoinMode::InviteOnly => Entrance::Invite,
    };
    let joins_at_once = is_signed_in && entrance == Entrance::FirstBid;
    let may_register = request.state.accounts.registration == RegistrationMode::Open;
    (seen.is_outsider() && !joins_at_once).then_some(Guest { is_signed_in, may_register, entrance })
}
