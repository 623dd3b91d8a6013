//! Lists the members of an auction.

use crate::access::store;
use crate::access::{Action, Member};
use crate::auctions::BidderVisibility;
use crate::auctions::access::AuctionView;
use crate::ids::UserId;
use platform::db::Connection;
use platform::paging::{Page, Paged};
use platform::verb::AccessError;

/// Members of one answer of the API. Their names have at most 100 characters, so that it stays below 256 KiB.
pub const MEMBERS_MAX: usize = 400;

/// Whether the viewer of the auction may know the name of a member who has a number. Under NUMBERS that of a
/// bidder is for the bidder and the managers.
pub fn is_known(member: &Member, auction: &AuctionView) -> bool {
    auction.auction.terms.bidder_visibility != BidderVisibility::Numbers
        || member.id == auction.viewer
        || auction.may(Action::SeeBidders)
        || member.role.may(Action::SeeBidders)
}

/// Up to `limit` members after the one with the id `after`, those with more rights first within the page.
/// Only members may see them, also in a FREE auction. Of others only the managers see more than the day of
/// joining.
pub async fn list_members(
    conn: &mut Connection,
    seen: &AuctionView,
    after: Option<UserId>,
    limit: usize,
) -> Result<Paged<Member>, AccessError> {
    if seen.role.is_none() {
        return Err(AccessError::Forbidden);
    }
    let page = Page { limit, after };
    let found = store::list(conn, seen.auction.id, page.after, page.rows()).await?;
    let mut page = page.paged(found, |member| member.id.to_string());
    if !seen.may(Action::SeeBidders) {
        // The moment of joining may be that of a bid.
        for member in page.entries.iter_mut().filter(|member| member.id != seen.viewer) {
            member.joined_at = member.joined_at.day();
        }
    }
    page.entries.sort_by_key(|member| (member.role, member.joined_at));
    Ok(page)
}
