//! Lists the members of an auction.

use std::convert::Infallible;

use super::cursor::MemberPlace;
use crate::access::store;
use crate::access::{Action, Member};
use crate::auctions::BidderVisibility;
use crate::auctions::access::AuctionView;
use crate::auctions::people::PeopleShown;
use crate::ids::UserId;
use platform::db::Connection;
use platform::fields::FieldError;
use platform::ids::{Id, Uuid};
use platform::paging::{Page, Paged};
use platform::verb::VerbError;

/// Members of one answer of the API. Their names have at most 100 characters, so that it stays below 256 KiB.
pub const MEMBERS_MAX: usize = 400;

/// Whether the viewer of the auction may know the name of a member who has a number. Under NUMBERS that of a
/// bidder is for the bidder and the managers.
pub fn is_known(member: &Member, auction: &AuctionView) -> bool {
    !hides_people(auction) || member.id == auction.viewer || member.role.may(Action::SeeBidders)
}

/// Whether the list shows people to the viewer by their numbers.
fn hides_people(auction: &AuctionView) -> bool {
    auction.auction.terms.bidder_visibility == BidderVisibility::Numbers && !auction.may(Action::SeeBidders)
}

/// Up to `limit` members after the cursor `after`, those with more rights first within the page. Only members
/// may see them, also in a FREE auction. Of others only the managers see more than the day of joining. Where
/// the list hides people, neither its order nor its cursors depend on more than it shows.
///
/// # Errors
/// `Forbidden` for others than members, and the field `cursor` if it is none of this list.
pub async fn list_members(
    conn: &mut Connection,
    seen: &AuctionView,
    after: Option<&str>,
    limit: usize,
) -> Result<Paged<Member>, VerbError<Infallible>> {
    if seen.role.is_none() {
        return Err(VerbError::Forbidden);
    }
    let unknown = || vec![FieldError::new("cursor", "must be the `nextCursor` of an earlier page")];
    let after = after.map(str::parse).transpose().map_err(|_| unknown())?;
    let page = Page { limit, after };
    let mut page = if hides_people(seen) {
        let after = match page.after {
            None => None,
            Some(MemberPlace::Unnumbered(id)) => Some((0, id)),
            Some(MemberPlace::Numbered(number)) => Some((number, UserId::of(Uuid::max()))),
            Some(MemberPlace::ById(_)) => return Err(unknown().into()),
        };
        let found = store::list_by_number(conn, seen.auction.id, after, page.rows()).await?;
        let people = PeopleShown::of(&seen.auction);
        page.paged(found, |member| match people.number(member.id) {
            Some(number) => MemberPlace::Numbered(number.get()).to_string(),
            None => MemberPlace::Unnumbered(member.id).to_string(),
        })
    } else {
        let after = match page.after {
            None => None,
            Some(MemberPlace::ById(id)) => Some(id),
            Some(MemberPlace::Unnumbered(_) | MemberPlace::Numbered(_)) => return Err(unknown().into()),
        };
        let found = store::list(conn, seen.auction.id, after, page.rows()).await?;
        page.paged(found, |member| MemberPlace::ById(member.id).to_string())
    };
    if !seen.may(Action::SeeBidders) {
        // The moment of joining may be that of a bid.
        for member in page.entries.iter_mut().filter(|member| member.id != seen.viewer) {
            member.joined_at = member.joined_at.day();
        }
    }
    page.entries.sort_by_key(|member| (member.role, member.joined_at));
    Ok(page)
}
