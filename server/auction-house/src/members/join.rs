//! Joins an auction.

use crate::access::{Role, store};
use crate::auctions::access::{AccessError, AuctionView};
use crate::auctions::{self, JoinMode};
use crate::context::Context;
use crate::ids::{AuctionId, UserId};
use crate::locks::LockingWrites;
use platform::body::Body;
use platform::db::Connection;
use platform::shape::{self, Members, Shape};
use platform::time::Moment;
use platform::verb::VerbError;
use std::convert::Infallible;

/// Makes `user` a BIDDER of a FREE auction. A member keeps their role. A LINK auction requires its token, which no
/// auction has issued yet; an INVITE_ONLY auction is not found.
pub async fn join(
    context: &Context,
    auction_id: AuctionId,
    user: UserId,
    body: impl Body,
) -> Result<AuctionView, VerbError<Infallible>> {
    let now = context.clock.now();
    let mut db = context.db.write_in(&[auction_id]).await?;
    let mut seen = authorize(&mut db, auction_id, user, now).await?;
    shape::parse::<JoinBody>(body.read()?)?;
    if seen.role.is_none() && seen.auction.terms.join_mode == JoinMode::Link {
        return Err(VerbError::Forbidden);
    }
    if seen.role.is_none() {
        store::insert(&mut db, auction_id, user, Role::Bidder, now).await?;
        db.commit().await?;
        seen.role = Some(Role::Bidder);
    }
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
