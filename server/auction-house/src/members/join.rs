//! Joins an auction.

use crate::access::Role;
use crate::access::store::{self, removed};
use crate::auctions::access::{AccessError, AuctionView};
use crate::auctions::{self, Auction, JoinMode};
use crate::books::posting;
use crate::codes;
use crate::context::Context;
use crate::ids::{AuctionId, UserId};
use crate::locks::LockingWrites;
use platform::body::Body;
use platform::db::Connection;
use platform::refusals;
use platform::shape::{self, Members, Shape};
use platform::time::Moment;
use platform::verb::VerbError;

refusals! {
    /// Why a user does not join an auction.
    pub enum JoinRefusal {
        Removed => codes::FORBIDDEN, "You were removed from this auction: only an invitation brings you back.";
        WrongLink => codes::FORBIDDEN, "This auction is joined with its link, and this is not the link that it has now: ask for it.";
        Closed => codes::CLOSED, "The auction is closed: it takes no more members.";
        BookFull => codes::LIMIT_REACHED, "The book of the auction has 10,000 holders, as many as it can have: nobody can join.";
    }
}

/// Makes `user` a BIDDER of a FREE auction, or of a LINK auction with its token. A member keeps their role.
/// An INVITE_ONLY auction is not found.
pub async fn join(
    context: &Context,
    auction_id: AuctionId,
    user: UserId,
    body: impl Body,
) -> Result<AuctionView, VerbError<JoinRefusal>> {
    let now = context.clock.now();
    let mut db = context.db.write_in(&[auction_id]).await?;
    let mut seen = authorize(&mut db, auction_id, user, now).await?;
    let JoinBody { invite_token } = shape::parse(body.read()?)?;
    if seen.role.is_some() {
        return Ok(seen);
    }
    if removed::contains(&mut db, auction_id, user).await? {
        return Err(JoinRefusal::Removed.into());
    }
    if !admits(&seen.auction, &invite_token) {
        return Err(JoinRefusal::WrongLink.into());
    }
    if seen.auction.is_closed(now) {
        return Err(JoinRefusal::Closed.into());
    }
    if let Some(book_id) = seen.auction.terms.book_id {
        let joined = posting::join(&mut db, book_id, [user], now).await;
        joined.map_err(|error| error.or(JoinRefusal::BookFull))?;
    }
    store::insert(&mut db, auction_id, user, Role::Bidder, now).await?;
    db.commit().await?;
    seen.role = Some(Role::Bidder);
    Ok(seen)
}

/// The auction, if `user` may know that it can be joined.
async fn authorize(
    conn: &mut Connection,
    auction_id: AuctionId,
    user: UserId,
    now: Moment,
) -> Result<AuctionView, AccessError> {
    let found = auctions::store::find(conn, auction_id, user, now).await?;
    let known =
        |seen: &AuctionView| seen.role.is_some() || seen.auction.terms.join_mode != JoinMode::InviteOnly;
    found.filter(known).ok_or(AccessError::NotFound)
}

fn admits(auction: &Auction, invite_token: &str) -> bool {
    match auction.terms.join_mode {
        JoinMode::Free => true,
        JoinMode::Link => auction.link_token.is(invite_token),
        JoinMode::InviteOnly => false,
    }
}

/// The body of a request to join. The token counts in a LINK auction only.
#[derive(Debug, Clone, Default)]
pub struct JoinBody {
    invite_token: String,
}

impl Shape for JoinBody {
    const NAME: &'static str = "JoinBody";
    const ABOUT: &'static str = "A FREE auction needs none.";

    fn members(&mut self, members: &mut Members<'_>) {
        members
            .text("inviteToken", 0..=200, &mut self.invite_token)
            .about("Of a LINK auction.")
            .without_default();
    }
}
